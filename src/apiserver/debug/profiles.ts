/**
 * The paths below /debug/pprof/, under Go's names: `go tool pprof https://…/debug/pprof/profile` reads what they answer. They exist
 * unless --profiling=false.
 */
import { Session } from 'node:inspector/promises'
import type { RequestContext } from '../../apimachinery/request/context.js'
import type { Response } from '../../apimachinery/request/message.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondText } from '../endpoints/respond.js'

/** Seconds that a profile takes, unless the request says otherwise. */
const usualSeconds = 30
const maxSeconds = 600
/** Bytes between two samples of allocations, as in Go. */
const heapInterval = 512 * 1024

const index = `<html>
<head>
<title>/debug/pprof/</title>
</head>
<body>
/debug/pprof/
<p>Types of profiles available:</p>
<ul>
<li><a href='profile?seconds=30'>profile</a>: CPU time, while the request lasts (seconds).</li>
<li><a href='heap?seconds=30'>heap</a>: memory that is allocated while the request lasts (seconds), and still in use at its end.</li>
<li><a href='cmdline'>cmdline</a>: the command line of the process.</li>
</ul>
</body>
</html>
`

/** Whether a profile runs. Only one runs at a time: V8 has one profiler, and a profile slows the process down. */
let isRunning = false

export const profilePaths: readonly PathHandler[] = [
  { path: '/debug/pprof', handle: () => ({ status: 302, headers: { location: '/debug/pprof/' }, body: undefined }) },
  {
    path: '/debug/pprof/',
    handle: ({ path }) =>
      path === '/debug/pprof/'
        ? { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(index) }
        : respondText('Unknown profile\n', 404)
  },
  { path: '/debug/pprof/cmdline', handle: () => respondText(process.argv.join('\0')) },
  { path: '/debug/pprof/profile', handle: context => profiled(context, 'profile', cpu) },
  { path: '/debug/pprof/heap', handle: context => profiled(context, 'heap', heap) }
]

type Profile = (session: Session, wait: () => Promise<void>) => Promise<Buffer>

async function profiled(context: RequestContext, name: string, profile: Profile): Promise<Response> {
  const seconds = Number(context.query.get('seconds') || usualSeconds)
  if (!(seconds > 0 && seconds <= maxSeconds)) return respondText(`seconds must be a number up to ${maxSeconds}\n`, 400)
  // the answer comes at the end: a profile that takes longer than a request may would never arrive
  if (seconds * 1000 >= context.timeLimit) return respondText("profile duration exceeds server's WriteTimeout\n", 400)
  if (isRunning) return respondText('Could not enable CPU profiling: cpu profiling already in use\n', 500)
  isRunning = true
  const session = new Session()
  try {
    session.connect()
    const body = await profile(session, () => waitFor(seconds * 1000, context.signal))
    return {
      status: 200,
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${name}"`,
        'x-content-type-options': 'nosniff'
      },
      body
    }
  } finally {
    session.disconnect()
    isRunning = false
  }
}

async function cpu(session: Session, wait: () => Promise<void>): Promise<Buffer> {
  const startedAt = Date.now()
  await session.post('Profiler.enable')
  await session.post('Profiler.start')
  await wait()
  const { profile } = await session.post('Profiler.stop')
  return (await import('./pprof.js')).cpuProfile(profile, startedAt)
}

async function heap(session: Session, wait: () => Promise<void>): Promise<Buffer> {
  const startedAt = Date.now()
  await session.post('HeapProfiler.startSampling', { samplingInterval: heapInterval })
  await wait()
  const { profile } = await session.post('HeapProfiler.stopSampling')
  return (await import('./pprof.js')).heapProfile(profile, startedAt, heapInterval)
}

/** Rejects when the client is gone. */
function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
