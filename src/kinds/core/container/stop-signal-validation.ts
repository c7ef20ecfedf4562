import type { PodSpec } from '../../../apimachinery/api/generated/core-v1.js'
import type { FieldErrors, Path } from '../../../apimachinery/validation/field.js'

const ofWindows = ['SIGKILL', 'SIGTERM']

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

const named =
  'ABRT ALRM BUS CHLD CLD CONT FPE HUP ILL INT IO IOT KILL PIPE POLL PROF PWR QUIT RTMAX RTMIN SEGV STKFLT STOP SYS TERM TRAP TSTP TTIN TTOU URG USR1 USR2 VTALRM WINCH XCPU XFSZ'
const ofLinux = [
  ...named.split(' ').map(name => `SIG${name}`),
  ...numbers(1, 15).map(n => `SIGRTMIN+${n}`),
  ...numbers(1, 14).map(n => `SIGRTMAX-${n}`)
].sort()

/** Requires a stop signal that the Pod's operating system has. */
export function validateStopSignal(signal: string | undefined, { os }: PodSpec, path: Path, errors: FieldErrors): void {
  if (signal === undefined) return
  if (!os) errors.forbidden(path, 'may not be set for containers with empty `spec.os.name`')
  else if (os.name === 'windows' && !ofWindows.includes(signal)) errors.notSupported(path, signal, ofWindows)
  else if (os.name === 'linux' && !ofLinux.includes(signal)) errors.notSupported(path, signal, ofLinux)
}
