// Joins packages that users would install otherwise into a file each, dist/bundle/packages/*.cjs: a fifth of their size, and one file to load
// instead of hundreds. They are loaded when the packages would be, as they are CommonJS modules with the same exports.
import { join } from 'node:path'
import { build } from 'esbuild'

/**
 * The packages, by the names that import them, and the modules that they begin with where those are not what Node finds: tar's is joined and shrunk
 * already, and says no longer of what. They are devDependencies, for the reason that bundle.mjs gives.
 */
const modules = {
  '@grpc/grpc-js': undefined,
  '@noble/ciphers/salsa': undefined,
  pino: undefined,
  'pprof-format': undefined,
  'prom-client': undefined,
  'sorted-btree': undefined,
  tar: 'tar/dist/commonjs/index.js',
  yaml: undefined
}

/** Returns the file of a joined package, in dist/; undefined for names that import something else. */
export const joinedFile = name =>
  Object.hasOwn(modules, name) ? `bundle/packages/${name.replace(/^@/, '').replaceAll('/', '-')}.cjs` : undefined

/** What joined packages load for features that nothing here uses: gRPC's reader of .proto files, for its services of diagnosis. */
const unused = ['@grpc/proto-loader']
const withoutUnused = {
  name: 'without-unused',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^(${unused.join('|')})$`) }, ({ path }) => ({ path, namespace: 'unused' }))
    onLoad({ filter: /.*/, namespace: 'unused' }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is not part of the package`)})`
    }))
  }
}

/** Writes the files below `dist`. Resolves with them, and with the folders of all packages whose code they have. */
export async function joinPackages({ root, dist }) {
  const files = []
  const folders = new Set()
  for (const [name, module] of Object.entries(modules)) {
    const file = join(dist, joinedFile(name))
    const { metafile } = await build({
      stdin: {
        contents: `module.exports = require(${JSON.stringify(module ? join(root, 'node_modules', module) : name)})`,
        resolveDir: root
      },
      // where node_modules is a link, the files name no other folder
      preserveSymlinks: true,
      outfile: file,
      absWorkingDir: root,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20.19',
      minifyWhitespace: true,
      lineLimit: 160,
      // dist/bundle/LICENSES.txt has them
      legalComments: 'none',
      charset: 'ascii',
      metafile: true,
      plugins: [withoutUnused],
      logLevel: 'warning'
    })
    files.push(file)
    for (const input of Object.keys(metafile.inputs)) {
      const [folder] = /^node_modules\/.*(?<=node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(input) ?? []
      if (folder) folders.add(join(root, folder))
    }
  }
  return { files, folders: [...folders] }
}
