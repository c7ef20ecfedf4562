import type { Container, HTTPGetAction, Probe } from '../../../apimachinery/api/generated/core-v1.js'
import { defaultPullPolicy } from './image-name.js'

/** Sets the defaults of any container, in a Pod or a template. */
export function defaultContainer(container: Container): void {
  container.terminationMessagePath ??= '/dev/termination-log'
  container.terminationMessagePolicy ??= 'File'
  container.imagePullPolicy ??= defaultPullPolicy(container.image ?? '')
  for (const port of container.ports ?? []) port.protocol ??= 'TCP'
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ??= 'v1'
    if (valueFrom?.fileKeyRef) valueFrom.fileKeyRef.optional ??= false
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe]) if (probe) defaultProbe(probe)
  defaultHttpGet(container.lifecycle?.postStart?.httpGet)
  defaultHttpGet(container.lifecycle?.preStop?.httpGet)
}

function defaultProbe(probe: Probe): void {
  probe.timeoutSeconds ||= 1
  probe.periodSeconds ||= 10
  probe.successThreshold ||= 1
  probe.failureThreshold ||= 3
  defaultHttpGet(probe.httpGet)
  if (probe.grpc) probe.grpc.service ??= ''
}

function defaultHttpGet(action: HTTPGetAction | undefined): void {
  if (!action) return
  action.path ??= '/'
  action.scheme ??= 'HTTP'
}
