/** What commands answer in simulated containers: a table in the Pod's annotations, and a few that every image has. */
import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { annotationDomain } from '../behavior.js'

export interface CommandOutput {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

const output = (stdout: string, stderr = '', exitCode = 0): CommandOutput => ({ stdout, stderr, exitCode })

/** Reads `simulate.binnacle.dev/exec`: a JSON object of commands, with what each prints, or with stdout, stderr and exitCode. */
function declared({ metadata }: Pod, container: string): ReadonlyMap<string, CommandOutput> {
  const annotations = metadata.annotations ?? {}
  const text = annotations[`${container}.${annotationDomain}/exec`] ?? annotations[`${annotationDomain}/exec`] ?? '{}'
  let table: unknown
  try {
    table = JSON.parse(text)
  } catch {
    return new Map()
  }
  if (table === null || typeof table !== 'object') return new Map()
  return new Map(
    Object.entries(table).map(([command, answer]) => {
      if (answer === null || typeof answer !== 'object') return [command, output(String(answer))]
      const { stdout = '', stderr = '', exitCode = 0 } = answer as Partial<CommandOutput>
      return [command, output(String(stdout), String(stderr), Number(exitCode) & 255)]
    })
  )
}

/** Returns undefined for a command that sends back what it reads. */
export function runCommand(pod: Pod, container: string, command: readonly string[]): CommandOutput | undefined {
  const known = declared(pod, container).get(command.join(' '))
  if (known) return known
  const [name = '', ...words] = command
  if ((name === 'sh' || name === 'bash' || name === '/bin/sh') && words[0] === '-c')
    return runCommand(pod, container, (words[1] ?? '').trim().split(/\s+/))
  switch (name) {
    case 'cat':
      return words.length === 0 ? undefined : output('', `cat: can't open '${words[0]}': No such file or directory\n`, 1)
    case 'echo':
      return output(`${words.join(' ')}\n`)
    case 'true':
      return output('')
    case 'false':
      return output('', '', 1)
    case 'hostname':
      return output(`${pod.spec.hostname ?? pod.metadata.name}\n`)
    case 'env':
      return output(environment(pod, container))
    default: {
      const why = `exec: "${name}": executable file not found in $PATH`
      return output('', `OCI runtime exec failed: exec failed: unable to start container process: ${why}: unknown\n`, 127)
    }
  }
}

function environment({ spec, metadata }: Pod, container: string): string {
  const own = spec.containers?.find(({ name }) => name === container)?.env ?? []
  const given = own.flatMap(({ name, value }) => (value === undefined ? [] : [`${name}=${value}`]))
  return `${['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', `HOSTNAME=${spec.hostname ?? metadata.name}`, ...given].join('\n')}\n`
}
