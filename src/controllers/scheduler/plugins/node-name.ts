import { type Plugin, rejectForGood } from '../plugin.js'

/** Lets a Pod that names its Node only there. */
export const nodeName: Plugin = {
  name: 'NodeName',
  check({ pod: { spec } }) {
    if (!spec.nodeName) return undefined
    return {
      only: new Set([spec.nodeName]),
      filter: ({ name }) => (name === spec.nodeName ? undefined : rejectForGood("node(s) didn't match the requested node name"))
    }
  },
  mayHelp: event => event.on === 'node' && !!event.node && !event.old
}
