import { type Plugin, reject } from '../plugin.js'
import { anyAddress, type HostPort } from '../pod-info.js'

const conflicts = (a: HostPort, b: HostPort): boolean =>
  a.port === b.port && (a.ip === b.ip || a.ip === anyAddress || b.ip === anyAddress)

/** Keeps Pods apart that want the same port of their Node. */
export const nodePorts: Plugin = {
  name: 'NodePorts',
  check({ ports }) {
    if (ports.length === 0) return undefined
    return {
      filter: node =>
        ports.some(port => node.isTaken(port)) ? reject("node(s) didn't have free ports for the requested pod ports") : undefined
    }
  },
  mayHelp(event, { ports }) {
    if (event.on === 'node') return !event.old
    if (event.on !== 'pod' || event.pod || !event.old) return false
    return event.old.ports.some(freed => ports.some(port => conflicts(freed, port)))
  }
}
