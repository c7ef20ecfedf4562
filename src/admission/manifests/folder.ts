/** Reads the documents in a folder of manifests. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ConfigError } from '../../apimachinery/config/read-config.js'
import { goFileError } from '../../util/go-file-error.js'
import { goQuote } from '../../util/go-format.js'

export interface ManifestDocument {
  /** The path of the document's file. */
  readonly file: string
  readonly text: string
}

export interface ManifestFolder {
  readonly documents: readonly ManifestDocument[]
  /** A digest of all files; empty when the folder has none. */
  readonly hash: string
}

const extensions = new Set(['.yaml', '.yml', '.json'])

/** Reads the YAML and JSON files of the folder itself, in the order of their names. Rejects with a ConfigError. */
export async function readManifestFolder(folder: string): Promise<ManifestFolder> {
  const hash = createHash('sha256')
  const documents: ManifestDocument[] = []
  let isEmpty = true
  for (const name of await namesIn(folder)) {
    const file = join(folder, name)
    const data = await readFile(file).catch(error => {
      throw new ConfigError(`failed to read file ${goQuote(file)}: ${goFileError('open', file, error)}`)
    })
    if (data.length === 0) continue
    isEmpty = false
    hash.update(data).update('\0')
    documents.push(...documentsOf(data.toString(), file))
  }
  return { documents, hash: isEmpty ? '' : `sha256:${hash.digest('hex')}` }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    const files = entries.filter(entry => !entry.isDirectory() && extensions.has(extname(entry.name).toLowerCase()))
    return files.map(({ name }) => name).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  } catch (error) {
    throw new ConfigError(`failed to read manifest directory ${goQuote(folder)}: ${goFileError('open', folder, error)}`)
  }
}

/** Splits a file at lines that begin with `---`. Throws a ConfigError for such a line with more than a comment after it. */
function documentsOf(text: string, file: string): ManifestDocument[] {
  const parts = text.split(/^---(.*)$/m)
  return parts.flatMap((part, i) => {
    const content = part.trim()
    const isSeparator = i % 2 === 1
    if (isSeparator && content !== '' && !content.startsWith('#'))
      throw new ConfigError(
        `failed to split YAML documents in file ${goQuote(file)}: invalid Yaml document separator: ${content}`
      )
    return isSeparator || content === '' ? [] : [{ file, text: content }]
  })
}
