import { signal, useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { resources } from '../api/discovery.js'
import { theme } from '../preferences.js'
import { go } from '../router.js'
import { navigation, pages } from './navigation.js'

interface Command {
  readonly title: string
  readonly hint: string
  readonly words: string
  run(): void
}

export const isPaletteOpen = signal(false)

function commands(): Command[] {
  const places = [{ title: 'Pages', places: pages() }, ...navigation()]
  return [
    ...places.flatMap(section =>
      section.places.map(place => ({ title: place.title, hint: section.title, words: place.words, run: () => go(place.route) }))
    ),
    ...['light', 'dark', 'system'].map(name => ({
      title: `Theme: ${name}`,
      hint: 'Setting',
      words: 'colors appearance',
      run: () => {
        theme.value = name
      }
    }))
  ]
}

/** Sorts by how well a text is met: at the beginning of the title, within it, in the other words. */
export function search<T extends { title: string; words: string }>(all: readonly T[], text: string): T[] {
  const wanted = text.toLowerCase().trim()
  if (wanted === '') return [...all]
  const rank = ({ title, words }: T) => {
    const name = title.toLowerCase()
    const others = words.toLowerCase().split(' ')
    if (name === wanted || others.includes(wanted)) return 0
    if (name.startsWith(wanted)) return 1
    if (name.includes(wanted)) return 2
    return others.some(word => word.includes(wanted)) ? 3 : 4
  }
  return all
    .map(item => ({ item, rank: rank(item) }))
    .filter(({ rank }) => rank < 4)
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item)
}

/** The command palette: Control-K or Command-K, then type what you look for. */
export function Palette() {
  const text = useSignal('')
  const active = useSignal(0)
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    dialog.current?.showModal()
  }, [])
  const found = search(commands(), text.value).slice(0, 12)
  const close = () => {
    isPaletteOpen.value = false
  }
  const run = (command: Command | undefined) => {
    if (!command) return
    close()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') active.value = Math.min(found.length - 1, active.value + 1)
    else if (event.key === 'ArrowUp') active.value = Math.max(0, active.value - 1)
    else if (event.key === 'Enter') run(found[active.value])
    else return
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog
    <dialog
      class="palette"
      ref={dialog}
      aria-label="Go to"
      onClose={close}
      onClick={event => event.target === dialog.current && close()}
    >
      <input
        aria-label="Search kinds and commands"
        placeholder="Kinds, pages, commands"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `palette-${active.value}` : undefined}
        value={text.value}
        onInput={event => {
          text.value = event.currentTarget.value
          active.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div id="palette-list" role="listbox" aria-label="Results">
        {found.map((command, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <div
            key={`${command.hint}/${command.title}`}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === active.value}
            onClick={() => run(command)}
          >
            <span>{command.title}</span>
            <span class="quiet">{command.hint}</span>
          </div>
        ))}
        {found.length === 0 && (
          <p class="quiet">{resources.value ? 'Nothing has this name.' : 'Asking the server for its kinds.'}</p>
        )}
      </div>
    </dialog>
  )
}
