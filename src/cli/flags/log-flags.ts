import { ranges } from '../../server/number-ranges.js'
import { flag } from './flag.js'
import { bool, integer, oneOf, string } from './value-types.js'

export const logFlags = {
  'tracing-config-file': flag({
    section: 'Traces',
    type: string,
    default: undefined,
    description:
      'File with a TracingConfiguration, which says where spans of requests are sent (OTLP over gRPC), and of how many requests.'
  }),
  profiling: flag({
    section: 'Features',
    type: bool,
    default: true,
    description: 'Offers profiles below /debug/pprof/, for go tool pprof, and the verbosity of the log at /debug/flags/v.'
  }),
  'debug-socket-path': flag({
    section: 'Features',
    type: string,
    default: undefined,
    description:
      'Unix socket that offers the same without credentials, to the user who runs the server: curl --unix-socket PATH http://x/debug/pprof/.'
  }),
  v: flag({
    section: 'Logs',
    type: integer('Level', ranges.verbosity),
    default: 0,
    shorthand: 'v',
    description: 'Verbosity of the log: 1 adds the flags, 2 the parts of slow requests, 3 every request.'
  }),
  'logging-format': flag({
    section: 'Logs',
    type: oneOf(['text', 'json']),
    default: 'text',
    description: 'Form of the log: text as klog writes it, or json for an object a line.'
  }),
  'log-text-split-stream': flag({
    section: 'Logs',
    type: bool,
    default: false,
    description:
      'In the form text, writes errors to standard error and all other lines to standard output. Needs the feature gate LoggingAlphaOptions.'
  })
}
