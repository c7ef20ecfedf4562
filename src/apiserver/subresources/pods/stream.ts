import { isTrue } from '../../../apimachinery/request/request-info.js'
import { passStream } from '../../nodes/proxy.js'
import { asksForStreamClose, translated } from '../../nodes/translated.js'
import type { Implementation } from '../implementation.js'
import { chosenContainer, findPod } from './container.js'
import { permitCreate } from './permission.js'
import { streamLocation } from './stream-location.js'

/** The streams of a container, by their parameters for the apiserver and for the kubelet. */
const kubeletNames = { stdin: 'input', stdout: 'output', stderr: 'error', tty: 'tty' } as const

/** Answers exec and attach. */
export const podStream: Implementation = {
  async connect(request, context) {
    await permitCreate(request, context)
    const { query, info } = context
    const pod = findPod(request, request.name)
    const container = chosenContainer(pod, query)
    const asked = Object.keys(kubeletNames).filter(name => isTrue(query.get(name))) as (keyof typeof kubeletNames)[]
    const parameters = asked.map((name): [string, string] => [kubeletNames[name], '1'])
    if (info.subresource === 'exec') for (const word of query.getAll('command')) parameters.push(['command', word])
    const upstream = streamLocation(request, pod, [info.subresource, container], parameters)
    const { features, connections } = request.operation.services
    if (!features.enabled('TranslateStreamCloseWebsocketRequests')) return passStream(context, upstream)
    connections.counts.webSocket(info.subresource)
    if (asksForStreamClose(context)) return translated(upstream, new Set(asked), connections.counts)
    return passStream(context, upstream)
  }
}
