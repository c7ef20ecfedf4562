/** `binnacle generate`: writes the manifests of an operator. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { emitYaml } from '../../apimachinery/formats/yaml-emit.js'
import { manifestFiles } from '../../client/operator/manifests.js'
import { defineOperator, type Operator } from '../../client/operator/operator.js'
import { flag } from '../../server/options/flag.js'
import { bool, string } from '../../server/options/value-types.js'
import { isMap } from '../../util/members.js'
import { fileError, UserError } from '../../util/user-error.js'
import { flagsHelp } from '../flags/help.js'
import { parseFlags } from '../flags/parse.js'

const section = 'Generate'
export const generateFlags = {
  out: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'Folder for the manifests and a kustomization.yaml. Default: standard output.'
  }),
  image: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: "Image of the operator's Deployment. Default: NAME:latest."
  }),
  namespace: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    shorthand: 'n',
    help: "Namespace of the operator's own objects. Default: as it says, or NAME-system."
  }),
  help: flag({ section, type: bool, default: false, shorthand: 'h', help: 'Shows this help.' })
}

const help =
  (): string => `Writes the manifests of an operator: its definitions, its roles, its Deployment and the configurations of its webhooks.
FILE is a module that exports what defineOperator returns. It must not run the operator.

Usage:
  binnacle generate FILE [flags]

${flagsHelp(generateFlags, [section], Math.min(process.stdout.columns ?? 100, 120))}`

/** Loads a module as an ES module: this code may be bundled as CommonJS, which could not. */
export type LoadModule = (url: string) => Promise<object>

export async function generateCommand(args: readonly string[], load: LoadModule): Promise<void> {
  const [file, rest] = args[0]?.startsWith('-') === false ? [args[0], args.slice(1)] : [undefined, args]
  const { values } = parseFlags(rest, generateFlags)
  if (values.help) return void process.stdout.write(help())
  if (file === undefined) throw new UserError('FILE is missing: a module that exports an operator; see binnacle generate --help')
  const { image, namespace, out } = values
  const files = manifestFiles(await operatorIn(file, load), { image, namespace })
  if (out === undefined) return void process.stdout.write(textOf(Object.values(files).flat()))
  try {
    await mkdir(out, { recursive: true })
    for (const [name, objects] of Object.entries(files)) await writeFile(join(out, name), textOf(objects))
    const kustomization = { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: Object.keys(files) }
    await writeFile(join(out, 'kustomization.yaml'), emitYaml(kustomization))
  } catch (error) {
    throw fileError(out, error)
  }
}

const textOf = (objects: readonly object[]) => objects.map(object => emitYaml(object)).join('---\n')

const isOperator = (value: unknown): value is Operator =>
  isMap(value) && typeof value.name === 'string' && Array.isArray(value.reconcilers)

async function operatorIn(file: string, load: LoadModule): Promise<Operator> {
  let exported: object
  try {
    exported = await load(pathToFileURL(resolve(file)).href)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const needsTypes = code === 'ERR_UNKNOWN_FILE_EXTENSION' && /\.[cm]?ts$/.test(file)
    if (needsTypes) throw new UserError(`${file}: this Node.js does not load TypeScript; Node.js 22.18 or newer does`)
    throw error instanceof UserError ? error : new UserError(`${file}: ${message}`, { cause: error })
  }
  const operators = Object.values(exported).filter(isOperator)
  if (operators.length === 0) throw new UserError(`${file}: exports no operator: export what defineOperator returns`)
  if (new Set(operators).size > 1) throw new UserError(`${file}: exports several operators`)
  return defineOperator(operators[0]!)
}
