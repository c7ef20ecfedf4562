import { useSignal } from '@preact/signals'
import { config, signedOutBecause, signIn } from '../api/session.js'

/** The page of those who have not signed in. */
export function SignIn() {
  const text = useSignal('')
  const byToken = config.value?.signIn.includes('token') ?? false
  const submit = (event: Event) => {
    event.preventDefault()
    const value = text.value.trim()
    // a header cannot have other characters
    if (/^[\x21-\x7e]+$/.test(value)) signIn(value)
    else signedOutBecause.value = 'This is no token: a token has no spaces, and letters of ASCII only.'
  }
  return (
    <main class="sign-in">
      <div class="sign-in-card">
        <p class="brand">
          <Mark /> Binnacle
        </p>
        <h1>{config.value ? `Sign in to ${config.value.name}` : 'The server does not answer'}</h1>
        {signedOutBecause.value && (
          <p class="problem" role="alert">
            {signedOutBecause.value}
          </p>
        )}
        {byToken && (
          <form onSubmit={submit}>
            <label for="token">Token</label>
            <input
              id="token"
              type="password"
              autocomplete="off"
              spellcheck={false}
              value={text.value}
              onInput={event => {
                text.value = event.currentTarget.value
              }}
            />
            <button type="submit" class="primary" disabled={text.value === ''}>
              Sign in
            </button>
            <p class="quiet">
              Of a service account, for example: <code>kubectl create token NAME</code>
            </p>
          </form>
        )}
        <p class="quiet">
          {config.value?.proxied
            ? 'This page is opened by the link that binnacle console prints. Start the command again for a new one.'
            : 'Or run binnacle console: it opens this page as the user of your kubeconfig.'}
        </p>
      </div>
    </main>
  )
}

export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <circle cx="16" cy="16" r="14" class="mark-disc" />
    <circle cx="16" cy="16" r="10.5" class="mark-ring" />
    <path d="M16 7l3.2 9H12.800z" class="mark-north" />
    <path d="M16 25l3.2-9H12.800z" class="mark-south" />
  </svg>
)
