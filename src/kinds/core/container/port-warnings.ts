import type { Container, ContainerPort } from '../../../apimachinery/api/generated/core-v1.js'
import { mostWarnings } from '../../../apimachinery/request/warnings.js'
import type { Path } from '../../../apimachinery/validation/field.js'
import { goQuote } from '../../../util/go-format.js'

/** Warns of valid ports that conflict. */
export function portWarnings(containers: readonly [Container, Path][], out: string[]): void {
  const ports: [ContainerPort, Path][] = []
  for (const [container, path] of containers)
    container.ports?.forEach((port, i) => void ports.push([port, path.child('ports').index(i)]))
  const earlier = new EarlierPorts()
  let pairs = 0
  ports.forEach(([port, at], i) => {
    if (port.hostIP && !port.hostPort) out.push(`${at}: hostIP set without hostPort: ${portText(port)}`)
    for (const other of pairs < mostWarnings ? earlier.meeting(port) : []) {
      out.push(`${at}: ${howTheyMeet(port, ports[other]![0])} port definition with ${ports[other]![1]}`)
      if (++pairs === mostWarnings) break
    }
    earlier.add(port, i)
  })
  const names = new Map<string, Path>()
  for (const [{ name }, at] of ports) {
    const first = name ? names.get(name) : undefined
    if (first)
      out.push(
        `${at}: duplicate port name ${goQuote(name!)} with ${first}, services and probes that select ports by name will use ${first}`
      )
    else if (name) names.set(name, at)
  }
}

/**
 * The ports that were seen earlier, by everything in which ports may conflict, so that two of many ports are found without
 * comparing all pairs.
 */
class EarlierPorts {
  readonly #indexes = new Map<string, number[]>()

  add(port: ContainerPort, index: number): void {
    const { hostPort = 0, hostIP = '' } = port
    for (const key of [keyOf(port), keyOf(port, hostPort), keyOf(port, hostPort, hostIP)]) {
      const indexes = this.#indexes.get(key)
      if (indexes) indexes.push(index)
      else this.#indexes.set(key, [index])
    }
  }

  /** Returns the indexes of the earlier ports that conflict with the port, in their order. */
  meeting(port: ContainerPort): readonly number[] {
    const { hostPort = 0, hostIP = '' } = port
    const of = (...key: [port?: number, ip?: string]) => this.#indexes.get(keyOf(port, ...key)) ?? []
    if (hostPort === 0) return of()
    const samePort = hostIP === '' ? of(hostPort) : [...of(hostPort, ''), ...of(hostPort, hostIP)]
    return [...of(0), ...samePort].sort((a, b) => a - b)
  }
}

const keyOf = ({ containerPort, protocol }: ContainerPort, ...host: [port?: number, ip?: string]) =>
  JSON.stringify([containerPort, protocol, ...host])

function howTheyMeet(a: ContainerPort, b: ContainerPort): string {
  const [ipA = '', ipB = '', portA = 0, portB = 0] = [a.hostIP, b.hostIP, a.hostPort, b.hostPort]
  if (ipA === ipB && portA === portB) return 'duplicate'
  return portA === 0 || portB === 0 ? 'overlapping' : 'dangerously ambiguous'
}

/** Formats a port as Go prints the struct. */
function portText({ name = '', hostPort = 0, containerPort, protocol = '', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}
