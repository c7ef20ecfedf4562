import { ranges } from './number-ranges.js'
import { option } from './option.js'
import { bool, integer, oneOf, string } from './value-types.js'

export const logOptions = {
  tracingConfigFile: option({
    flag: 'tracing-config-file',
    isPath: true,
    section: 'Traces',
    type: string,
    default: undefined,
    help: 'File with a TracingConfiguration, which says where spans of requests are sent (OTLP over gRPC), and of how many requests.'
  }),
  profiling: option({
    flag: 'profiling',
    section: 'Features',
    type: bool,
    default: true,
    help: 'Offers profiles below /debug/pprof/, for go tool pprof, and the verbosity of the log at /debug/flags/v.'
  }),
  debugSocketPath: option({
    flag: 'debug-socket-path',
    isPath: true,
    section: 'Features',
    type: string,
    default: undefined,
    help: 'Unix socket that offers the same without credentials, to the user who runs the server: curl --unix-socket PATH http://x/debug/pprof/.'
  }),
  v: option({
    flag: 'v',
    libraryDefault: 'none, and only warnings and errors are logged',
    section: 'Logs',
    type: integer('Level', ranges.verbosity),
    default: 0,
    shorthand: 'v',
    help: 'Verbosity of the log: 1 adds the flags, 2 the parts of slow requests, 3 every request.'
  }),
  loggingFormat: option({
    flag: 'logging-format',
    section: 'Logs',
    type: oneOf(['text', 'json']),
    default: 'text',
    help: 'Form of the log: text as klog writes it, or json for an object a line.'
  }),
  logTextSplitStream: option({
    flag: 'log-text-split-stream',
    section: 'Logs',
    type: bool,
    default: false,
    help: 'In the form text, writes errors to standard error and all other lines to standard output. Needs the feature gate LoggingAlphaOptions.'
  }),
  logJsonSplitStream: option({
    flag: 'log-json-split-stream',
    section: 'Logs',
    type: bool,
    default: false,
    help: 'In the form json, writes errors to standard error and all other lines to standard output. Needs the feature gate LoggingAlphaOptions.'
  })
}
