import { goQuote } from '../../util/go-format.js'
import type { Logger } from '../../util/logger.js'
import type { PathHandler } from '../endpoints/dispatch.js'
import { respondText } from '../endpoints/respond.js'

const maxBytes = 1024
const index = `<html>
<head>
<title>/debug/flags/</title>
</head>
<body>
/debug/flags/<br>
<br>
flags:<br>
<table>
<tr>v<br>
</table>
<br>
full flags configurable<br>
</body>
</html>
`

/** The paths that show the flags which may change at run time, and change the log's verbosity: PUT /debug/flags/v. */
export function verbosityPaths(log: Logger): PathHandler[] {
  const list = () => ({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: Buffer.from(index) })
  return [
    { path: '/debug/flags', handle: list },
    { path: '/debug/flags/', handle: list },
    {
      path: '/debug/flags/v',
      // curl -d sends a form
      bodyTypes: undefined,
      async handle(context) {
        if (context.request.method !== 'PUT') return respondText('unsupported http method\n', 406)
        const text = (await context.readBody(maxBytes)).toString()
        if (!/^[+-]?\d{1,9}$/.test(text))
          return respondText(
            `failed set klog.logging.verbosity ${text}: strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax\n`,
            400
          )
        log.setVerbosity?.(Number(text))
        return respondText(`successfully set klog.logging.verbosity to ${text}\n`)
      }
    }
  ]
}
