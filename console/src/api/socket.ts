import { ApiError } from './error.js'
import { token } from './session.js'

/**
 * Opens a WebSocket to a path of the server. A browser's WebSocket has no headers: the token travels as a subprotocol beside the one that is
 * spoken, which the server takes out (as kube-apiserver does).
 */
export function openSocket(path: string, protocol: string): WebSocket {
  const url = new URL(path, location.href)
  url.protocol = url.protocol.replace('http', 'ws')
  const socket = new WebSocket(url, [`base64url.bearer.authorization.k8s.io.${base64Url(token.value ?? '')}`, protocol])
  socket.binaryType = 'arraybuffer'
  return socket
}

const base64Url = (text: string): string => btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Yields the texts that come, until the server ends. Throws an ApiError without a code when there is no connection. */
export async function* socketTexts(path: string, signal: AbortSignal): AsyncGenerator<string> {
  const socket = openSocket(path, 'binnacle.console')
  const waiting: string[] = []
  let wake = () => {}
  let isOpened = false
  let isOver = false
  const end = () => {
    isOver = true
    wake()
  }
  const decoder = new TextDecoder()
  socket.onopen = () => {
    isOpened = true
  }
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    waiting.push(typeof data === 'string' ? data : decoder.decode(data))
    wake()
  }
  socket.onclose = end
  signal.addEventListener('abort', end)
  try {
    for (;;) {
      const texts = waiting.splice(0)
      yield* texts
      if (waiting.length > 0) continue
      if (isOver) break
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
    if (!isOpened && !signal.aborted) throw new ApiError(0, 'There is no connection for a watch.')
  } finally {
    signal.removeEventListener('abort', end)
    socket.close()
  }
}
