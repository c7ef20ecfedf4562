/** Reads the file of --tracing-config-file, with kube-apiserver's words. */
import { readFileSync } from 'node:fs'
import { type ConfigKind, readConfigLeniently } from '../../apimachinery/config/read-config.js'
import { int32, pointer, string, struct, typeMeta } from '../../apimachinery/config/types.js'
import { aggregateText, goQuote } from '../../util/go-format.js'
import { UserError } from '../../util/user-error.js'

export interface TracingConfiguration {
  /** `host:port` of a receiver of OTLP over gRPC, or a name with one of gRPC's schemes; localhost:4317. */
  readonly endpoint?: string | undefined
  /** Of a million requests that do not belong to a trace, this many begin one; 0. */
  readonly samplingRatePerMillion?: number | undefined
}

const fields = { ...typeMeta, endpoint: pointer(string), samplingRatePerMillion: pointer(int32) }
const kind: ConfigKind = {
  kind: 'TracingConfiguration',
  versions: {
    'apiserver.config.k8s.io/v1': struct('v1.TracingConfiguration', fields),
    'apiserver.config.k8s.io/v1beta1': struct('v1beta1.TracingConfiguration', fields),
    'apiserver.config.k8s.io/v1alpha1': struct('v1alpha1.TracingConfiguration', fields)
  }
}
const million = 1_000_000
const schemes = ['dns', 'unix', 'unix-abstract']

/** Throws a UserError for a file that is missing or not valid. */
export function loadTracingConfiguration(path: string): TracingConfiguration {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') throw new UserError(`tracing-config-file ${path} does not exist`)
    throw new UserError(
      `failed to read tracing config: unable to read tracing configuration from ${goQuote(path)}: ${(error as Error).message}`
    )
  }
  let configuration: TracingConfiguration
  try {
    // unknown fields are allowed, as in kube-apiserver
    configuration = readConfigLeniently(text, kind).object
  } catch (error) {
    throw new UserError(`failed to read tracing config: unable to decode tracing configuration data: ${(error as Error).message}`)
  }
  const problems = [...rateProblems(configuration), ...endpointProblems(configuration)]
  if (problems.length > 0) throw new UserError(`failed to validate tracing configuration: ${aggregateText(problems)}`)
  return configuration
}

function rateProblems({ samplingRatePerMillion: rate = 0 }: TracingConfiguration): string[] {
  const invalid = `samplingRatePerMillion: Invalid value: ${rate}: sampling rate`
  if (rate < 0) return [`${invalid} must be positive`]
  return rate > million ? [`${invalid} per million must be less than or equal to one million`] : []
}

function endpointProblems({ endpoint }: TracingConfiguration): string[] {
  if (!endpoint?.includes('//')) return []
  const scheme = endpoint.slice(0, endpoint.indexOf(':'))
  if (schemes.includes(scheme)) return []
  const options = 'Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md'
  return [`endpoint: Invalid value: ${goQuote(endpoint)}: unsupported scheme: ${scheme}.  ${options}`]
}
