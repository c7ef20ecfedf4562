import type { Container, ContainerPort } from '../../../api/generated/core-v1.js'
import { goQuote } from '../../../util/go-format.js'
import type { Path } from '../../../validation/field.js'

/** Warns of valid ports that conflict. */
export function portWarnings(containers: readonly [Container, Path][], out: string[]): void {
  const ports: [ContainerPort, Path][] = []
  for (const [container, path] of containers)
    container.ports?.forEach((port, i) => void ports.push([port, path.child('ports').index(i)]))
  ports.forEach(([port, at], i) => {
    if (port.hostIP && !port.hostPort) out.push(`${at}: hostIP set without hostPort: ${portText(port)}`)
    for (const [other, place] of ports.slice(0, i)) {
      const how = howTheyMeet(port, other)
      if (how) out.push(`${at}: ${how} port definition with ${place}`)
    }
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

function howTheyMeet(a: ContainerPort, b: ContainerPort): string | undefined {
  if (a.containerPort !== b.containerPort || a.protocol !== b.protocol) return undefined
  const [ipA = '', ipB = '', portA = 0, portB = 0] = [a.hostIP, b.hostIP, a.hostPort, b.hostPort]
  if (ipA === ipB && portA === portB) return 'duplicate'
  if (portA === 0 || portB === 0) return 'overlapping'
  return portA === portB && (ipA === '') !== (ipB === '') ? 'dangerously ambiguous' : undefined
}

/** As Go prints a struct. */
function portText({ name = '', hostPort = 0, containerPort, protocol = '', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`
}
