import { render } from 'preact'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/table.css'
import './styles/parts.css'
import './styles/access.css'
import './styles/server.css'
import { type Config, config, redeem } from './api/session.js'
import { App } from './app.js'
import { preloadView } from './views/view.js'

async function start(): Promise<void> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  // the code is good for one time; it does not stay in the address nor in the history of the browser
  if (code) history.replaceState(null, '', location.pathname + location.search)
  const [settings] = await Promise.all([
    fetch('/console/config.json').then(response => response.json() as Promise<Config>),
    code ? redeem(code) : undefined
  ])
  config.value = settings
  document.title = `${settings.name} – Binnacle`
}

const root = document.querySelector('#app')!
preloadView()
await start().catch(() => {})
render(<App />, root)
