import { createHash } from 'node:crypto'
import { kindRef } from 'binnacle/client'
import { createOrUpdate, defineOperator, defineReconciler, setCondition, setControllerReference } from 'binnacle/operator'
import { site } from './site.js'

const sites = defineReconciler({
  for: site,
  owns: [kindRef('v1', 'ConfigMap'), kindRef('v1', 'Service'), kindRef('apps/v1', 'Deployment')],
  async reconcile(object, { client }) {
    const { name, namespace } = object.metadata
    const { pages, replicas = 1 } = object.spec
    const metadata = { name: name!, namespace: namespace! }
    const labels = { 'app.kubernetes.io/name': name! }
    await createOrUpdate(client, { apiVersion: 'v1', kind: 'ConfigMap', metadata } as const, map => {
      map.data = pages
      setControllerReference(object, map)
    })
    await createOrUpdate(client, { apiVersion: 'v1', kind: 'Service', metadata } as const, service => {
      service.spec = { ...service.spec, selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }] }
      setControllerReference(object, service)
    })
    const deployments = client.of('apps/v1', 'Deployment')
    // Pods are replaced when the pages change
    const digest = createHash('sha256').update(JSON.stringify(pages)).digest('hex')
    const deployment = {
      apiVersion: 'apps/v1' as const,
      kind: 'Deployment' as const,
      metadata: { ...metadata },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { 'NAME.example.com/pages': digest } },
          spec: {
            containers: [
              {
                name: 'nginx',
                image: 'nginxinc/nginx-unprivileged:stable',
                ports: [{ containerPort: 8080, protocol: 'TCP' as const }],
                volumeMounts: [{ name: 'pages', mountPath: '/usr/share/nginx/html' }]
              }
            ],
            volumes: [{ name: 'pages', configMap: { name: name! } }]
          }
        }
      }
    } satisfies Parameters<typeof deployments.apply>[0]
    setControllerReference(object, deployment)
    const written = await deployments.apply(deployment, { fieldManager: 'NAME', force: true })
    const ready = written.status?.readyReplicas ?? 0
    const condition = {
      type: 'Ready',
      status: ready >= replicas ? 'True' : 'False',
      reason: ready >= replicas ? 'PodsReady' : 'PodsNotReady',
      message: `${ready} of ${replicas} Pods are ready`
    } as const
    if (setCondition(object, condition))
      await client.of(site).subresource('status').patch(name!, { status: object.status! }, { namespace: namespace! })
  }
})

export const operator = defineOperator({ name: 'NAME', kinds: [site], reconcilers: [sites] })
