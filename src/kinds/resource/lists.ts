import type { FieldErrors, Path } from '../../apimachinery/validation/field.js'

/** Validates a list with a limit. A list that is too long gets no other errors. */
export function validateList<T>(
  items: readonly T[] | null | undefined,
  max: number,
  path: Path,
  errors: FieldErrors,
  validate: (item: T, at: Path) => void
): void {
  if (!items) return
  if (items.length > max) errors.tooMany(path, items.length, max)
  else items.forEach((item, i) => void validate(item, path.index(i)))
}

/** Validates a list whose items have unique keys. Errors of items come before duplicate keys. */
export function validateSet<T>(
  items: readonly T[] | null | undefined,
  max: number,
  key: (item: T) => string,
  path: Path,
  errors: FieldErrors,
  validate: (item: T, at: Path) => void,
  shown: (key: string) => unknown = key => key
): void {
  validateList(items, max, path, errors, validate)
  if (!items || items.length > max) return
  const seen = new Set<string>()
  items.forEach((item, i) => {
    if (seen.has(key(item))) errors.duplicate(path.index(i), shown(key(item)))
    seen.add(key(item))
  })
}

const minShownKey = 16

/** Validates the keys and values of a map. Errors about a key have the map's path. */
export function validateMap<T>(
  map: Readonly<Record<string, T>>,
  shownKey: number,
  path: Path,
  errors: FieldErrors,
  validateKey: (key: string, path: Path, errors: FieldErrors) => void,
  validate?: (value: T, at: Path) => void
): void {
  for (const [key, value] of Object.entries(map)) {
    validateKey(key, path, errors)
    validate?.(value, path.key(shortened(key, Math.max(shownKey, minShownKey))))
  }
}

function shortened(text: string, max: number): string {
  if (text.length <= max) return text
  const kept = max - '...'.length
  return `${text.slice(0, Math.floor((kept + 1) / 2))}...${text.slice(text.length - Math.floor(kept / 2))}`
}
