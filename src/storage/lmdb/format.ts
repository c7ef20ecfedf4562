/** The format of the store's files, which the table `meta` holds. */
import { StoreUnavailableError } from '../contract.js'

/** Increased when the layout changes in a way that older versions of Binnacle cannot read. */
export const formatVersion = 2

export const formatKey = Buffer.from('format')

/** Throws StoreUnavailableError for a format that only a newer Binnacle can read. */
export function checkFormat(directory: string, format: number): void {
  if (format <= formatVersion) return
  throw new StoreUnavailableError(
    `${directory} was written by a newer Binnacle (format ${format}; this one knows ${formatVersion})`
  )
}

export const encodeNumber = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(6)
  bytes.writeUIntBE(value, 0, 6)
  return bytes
}

/** 0 for a number that is not there. */
export const decodeNumber = (bytes: Buffer | undefined): number => bytes?.readUIntBE(0, 6) ?? 0
