const pod = (name, { labels = { app: 'web' }, ports, ...spec } = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: { containers: [{ name: 'web', image: 'nginx', ports }], ...spec }
})
const service = (name, spec, metadata) => ({ apiVersion: 'v1', kind: 'Service', metadata: { name, ...metadata }, spec })
const app = { app: 'web' }
const named = [{ name: 'web', containerPort: 8080 }]
const late = {
  ...pod('late'),
  metadata: { name: 'late', labels: app, annotations: { 'simulate.binnacle.dev/ready-after': '1h' } }
}

export default [
  { name: 'with no Pods', create: service('web', { selector: app, ports: [{ port: 80 }] }, { labels: { tier: 'front' } }) },
  { name: 'with a Pod', create: pod('one', { ports: named }) },
  { name: 'with an unready Pod', create: late },
  {
    name: 'published before it is ready',
    create: service('early', { selector: app, publishNotReadyAddresses: true, ports: [{ name: 'http', port: 80 }] })
  },
  {
    name: 'with a named port, which one Pod has',
    create: service('named', { selector: app, ports: [{ port: 80, targetPort: 'web' }] })
  },
  {
    name: 'with several ports',
    create: service('several', {
      selector: app,
      ports: [
        { name: 'http', port: 80, appProtocol: 'http' },
        { name: 'https', port: 443, targetPort: 8443 },
        { name: 'named', port: 90, targetPort: 'web' },
        { name: 'dns', port: 53, protocol: 'UDP' }
      ]
    })
  },
  { name: 'headless', create: service('headless', { selector: app, clusterIP: 'None', ports: [{ port: 80 }] }) },
  { name: 'headless without ports', create: service('bare', { selector: app, clusterIP: 'None' }) },
  {
    name: 'with host names',
    create: pod('host', { labels: app, hostname: 'a-host', subdomain: 'headless' })
  },
  { name: 'relabelled', patch: ['v1', 'services', 'web', { metadata: { labels: { tier: 'back', more: 'yes' } } }] },
  { name: 'with other ports', patch: ['v1', 'services', 'headless', { spec: { ports: [{ port: 80, targetPort: 81 }] } }] },
  { name: 'a Pod is relabelled', patch: ['v1', 'pods', 'one', { metadata: { labels: { app: 'other' } } }] },
  { name: 'with the other selector', patch: ['v1', 'services', 'web', { spec: { selector: { app: 'other' } } }] },
  { name: 'preferring the same zone', patch: ['v1', 'services', 'web', { spec: { trafficDistribution: 'PreferSameNode' } }] },
  { name: 'a Pod is deleted', remove: ['v1', 'pods', 'late', { gracePeriodSeconds: 0 }] },
  { name: 'a Service is deleted', remove: ['v1', 'services', 'several'] },
  { name: 'without selector', create: service('manual', { ports: [{ port: 80 }] }) },
  {
    name: 'mirrored',
    create: {
      apiVersion: 'v1',
      kind: 'Endpoints',
      metadata: { name: 'manual', labels: { mine: 'yes' }, annotations: { note: 'copied' } },
      subsets: [
        {
          addresses: [{ ip: '198.51.100.1', hostname: 'a' }, { ip: '2001:db8::1' }],
          notReadyAddresses: [{ ip: '198.51.100.2' }],
          ports: [{ name: 'http', port: 80 }]
        }
      ]
    }
  },
  {
    name: 'mirrored again',
    patch: ['v1', 'endpoints', 'manual', { subsets: [{ addresses: [{ ip: '198.51.100.3' }], ports: [{ port: 81 }] }] }]
  },
  {
    name: 'not mirrored any more',
    patch: ['v1', 'endpoints', 'manual', { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } }]
  }
]
