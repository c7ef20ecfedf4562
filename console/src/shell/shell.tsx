import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { config, impersonated, signOut } from '../api/session.js'
import { theme } from '../preferences.js'
import { address } from '../router.js'
import { navigation, pages } from './navigation.js'
import { isPaletteOpen, Palette } from './palette.js'
import { Mark } from './sign-in.js'

const isTyping = (target: EventTarget | null) =>
  target instanceof Element && target.closest('input, textarea, select, [contenteditable], .editor') !== null

function onKeyDown(event: KeyboardEvent) {
  if ((event.ctrlKey || event.metaKey) && event.key === 'k') isPaletteOpen.value = !isPaletteOpen.value
  else if (event.key === '/' && !isTyping(event.target)) document.querySelector<HTMLElement>('[data-search]')?.focus()
  else return
  event.preventDefault()
}

/** What surrounds every page: the sidebar with the kinds, and the line on top. */
export function Shell({ children }: { children: ComponentChildren }) {
  const isMenuOpen = useSignal(false)
  const { path } = address.value
  useLayoutEffect(() => {
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  // on a phone the menu covers the page
  useEffect(() => {
    isMenuOpen.value = false
  }, [path])
  const isHere = (route: string) =>
    route === '/console/' ? path === route : path === route || path.startsWith(`${route.replace('/list/', '/object/')}/`)
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <button
          type="button"
          class="menu-button"
          aria-label="Menu"
          aria-expanded={isMenuOpen.value}
          aria-controls="navigation"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value
          }}
        >
          ☰
        </button>
        <a class="brand" href="/console/">
          <Mark /> <span class="brand-name">Binnacle</span> <span class="quiet">{config.value?.name}</span>
        </a>
        <button
          type="button"
          class="search-button"
          onClick={() => {
            isPaletteOpen.value = true
          }}
        >
          Go to … <kbd>Ctrl K</kbd>
        </button>
        <label class="theme">
          <span class="hidden">Theme</span>
          <select
            value={theme.value}
            onChange={event => {
              theme.value = event.currentTarget.value
            }}
          >
            <option value="system">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <button type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </header>
      <nav id="navigation" class={isMenuOpen.value ? 'open' : ''} aria-label="Kinds">
        <ul>
          {pages().map(({ title, route }) => (
            <li key={route}>
              <a href={route} aria-current={isHere(route) ? 'page' : undefined}>
                {title}
              </a>
            </li>
          ))}
        </ul>
        {navigation().map(section => (
          <details key={section.title} open={!section.title.includes('.') || section.places.some(({ route }) => isHere(route))}>
            <summary>{section.title}</summary>
            <ul>
              {section.places.map(({ title, route }) => (
                <li key={route}>
                  <a href={route} aria-current={isHere(route) ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      <main id="content" tabIndex={0}>
        {impersonated.value && (
          <p class="banner">
            You see what <strong>{impersonated.value.user}</strong> sees.{' '}
            <button
              type="button"
              onClick={() => {
                impersonated.value = undefined
              }}
            >
              Be yourself again
            </button>
          </p>
        )}
        {children}
      </main>
      {isPaletteOpen.value && <Palette />}
    </div>
  )
}
