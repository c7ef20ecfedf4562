import { useSignalEffect } from '@preact/signals'
import { useErrorBoundary } from 'preact/hooks'
import { discover, resources } from './api/discovery.js'
import { findFeatures } from './api/features.js'
import { readSelf } from './api/self.js'
import { impersonated, isSignedIn } from './api/session.js'
import { followLinks } from './router.js'
import { Shell } from './shell/shell.js'
import { SignIn } from './shell/sign-in.js'
import { useLoad } from './ui/load.js'
import { usePoll } from './ui/poll.js'
import { Problem } from './ui/problem.js'
import { View } from './views/view.js'

export function App() {
  useSignalEffect(() => {
    document.addEventListener('click', followLinks)
    return () => document.removeEventListener('click', followLinks)
  })
  return isSignedIn.value ? <SignedIn /> : <SignIn />
}

function SignedIn() {
  const [bug, resetBug] = useErrorBoundary()
  // another user may see other kinds
  const discovery = useLoad(() => Promise.all([discover(), findFeatures(), readSelf().catch(() => {})]), [impersonated.value])
  // definitions come and go; where discovery fails, what the view itself asks for says so
  usePoll(discover, 10_000, () => {}, 'later')
  if (bug) return <Problem error={bug} retry={resetBug} />
  if (discovery.error) return <Problem error={discovery.error} retry={discovery.reload} />
  // the frame is there at once, and fills
  return <Shell>{resources.value && <View />}</Shell>
}
