const labels = { scenario: 'volumes' }
const volume = (name, storage, spec = {}, more = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: `volumes-${name}`, labels: { ...labels, ...more } },
  spec: {
    capacity: { storage },
    accessModes: ['ReadWriteOnce'],
    storageClassName: 'volumes-none',
    hostPath: { path: `/tmp/volumes-${name}` },
    ...spec
  }
})
const claim = (name, storage, spec = {}) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } }, storageClassName: 'volumes-none', ...spec }
})
const storageClass = (name, fields) => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name: `volumes-${name}` },
  ...fields
})
const removeVolume = name => ['v1', 'persistentvolumes', `volumes-${name}`]
const removeClaim = name => ['v1', 'persistentvolumeclaims', name]
const pod = (name, claimName) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    containers: [{ name: 'web', image: 'nginx' }],
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
    terminationGracePeriodSeconds: 0
  }
})

export default [
  { name: 'without volumes', create: claim('small', '1Gi', { storageClassName: '' }) },
  { name: 'of a missing class', create: claim('lost', '1Gi', { storageClassName: 'volumes-missing' }) },
  {
    name: 'of classes',
    create: [
      storageClass('none', { provisioner: 'kubernetes.io/no-provisioner' }),
      storageClass('first', { provisioner: 'example.com/other', volumeBindingMode: 'WaitForFirstConsumer' }),
      storageClass('outside', { provisioner: 'example.com/other' }),
      claim('unprovided', '1Gi'),
      claim('first', '1Gi', { storageClassName: 'volumes-first' }),
      claim('outside', '1Gi', { storageClassName: 'volumes-outside' })
    ]
  },
  { name: 'deleted while pending', remove: removeClaim('unprovided') },
  {
    name: 'volumes',
    create: [
      volume('large', '10Gi'),
      volume('middle', '5Gi'),
      volume('many', '5Gi', { accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }),
      volume('chosen', '5Gi', {}, { tier: 'fast' }),
      volume('block', '5Gi', { volumeMode: 'Block' })
    ]
  },
  {
    name: 'the smallest',
    create: claim('three', '3Gi', { selector: { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } })
  },
  { name: 'by selector', create: claim('fast', '1Gi', { selector: { matchLabels: { tier: 'fast' } } }) },
  { name: 'by modes', create: claim('readers', '1Gi', { accessModes: ['ReadOnlyMany'] }) },
  { name: 'by volume mode', create: claim('device', '1Gi', { volumeMode: 'Block' }) },
  { name: 'too small', create: claim('named', '20Gi', { volumeName: 'volumes-large' }) },
  { name: 'without the one too small', remove: removeClaim('named') },
  { name: 'taken', create: claim('late', '1Gi', { volumeName: 'volumes-middle' }) },
  { name: 'released and retained', remove: removeClaim('three') },
  {
    name: 'reserved',
    create: [
      volume('reserved', '2Gi', { claimRef: { namespace: 'nowhere', name: 'other' } }),
      claim('wants', '2Gi', { volumeName: 'volumes-reserved' })
    ]
  },
  { name: 'in use', create: [claim('used', '1Gi'), pod('user', 'used')] },
  { name: 'deleted in use', remove: removeClaim('used') },
  { name: 'not in use any more', remove: ['v1', 'pods', 'user'] },
  {
    name: 'to be deleted',
    create: [
      volume('gone', '1Gi', { persistentVolumeReclaimPolicy: 'Delete', storageClassName: 'volumes-gone' }),
      volume('stays', '1Gi', {
        persistentVolumeReclaimPolicy: 'Delete',
        storageClassName: 'volumes-stays',
        hostPath: { path: '/var/stays' }
      })
    ]
  },
  {
    name: 'bound, to be deleted',
    create: [
      claim('gone', '1Gi', { storageClassName: 'volumes-gone' }),
      claim('stays', '1Gi', { storageClassName: 'volumes-stays' })
    ]
  },
  { name: 'deleted with its claim', remove: removeClaim('gone'), seconds: 1 },
  { name: 'cannot be deleted', remove: removeClaim('stays'), seconds: 1 },
  { name: 'loses its volume', remove: removeVolume('chosen') },
  {
    name: 'an ephemeral volume',
    create: {
      ...pod('short', 'x'),
      spec: {
        nodeName: 'node-0',
        containers: [{ name: 'web', image: 'nginx' }],
        volumes: [
          {
            name: 'scratch',
            ephemeral: {
              volumeClaimTemplate: { metadata: { labels: { a: 'b' } }, spec: claim('', '1Gi', { storageClassName: '' }).spec }
            }
          }
        ]
      }
    }
  },
  ...['short-scratch', 'small', 'lost', 'first', 'outside', 'late', 'wants'].map(name => ({
    name: `without ${name}`,
    remove: removeClaim(name)
  })),
  { name: 'removed', remove: removeVolume('large') },
  { name: 'removed middle', remove: removeVolume('middle') },
  { name: 'removed many', remove: removeVolume('many') },
  { name: 'removed block', remove: removeVolume('block') },
  { name: 'removed reserved', remove: removeVolume('reserved') },
  { name: 'removed stays', remove: removeVolume('stays') },
  { name: 'no class', remove: ['storage.k8s.io/v1', 'storageclasses', 'volumes-none'] },
  { name: 'no class first', remove: ['storage.k8s.io/v1', 'storageclasses', 'volumes-first'] },
  { name: 'no class outside', remove: ['storage.k8s.io/v1', 'storageclasses', 'volumes-outside'] }
]
