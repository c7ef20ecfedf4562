/** Built-in kinds that hold values without a schema, lists with several keys, or nested parts, and shapes of what managers write to them. */
import { either, fields, free, freeObject, items, list, map, one, orNull, set } from './shapes.mjs'

const word = one('1', '2', '3')
const number = one(1, 2, 3)
const flag = one(true, false)
const labels = map(['a', 'b', 'c'], one('1', '2'))
const quantity = one('1', '2', '500m', '1Gi')
const selector = fields({
  matchLabels: labels,
  matchExpressions: list(fields({ 'key!': one('a', 'b'), 'operator!': one('Exists', 'DoesNotExist') }))
})
const conditions = more =>
  items(
    [{ type: 'A' }, { type: 'B' }, { type: 'C' }],
    fields({ 'status!': one('True', 'False'), reason: one('R', 'S'), ...more })
  )
const metaConditions = items(
  [{ type: 'A' }, { type: 'B' }],
  fields({
    'status!': one('True', 'False'),
    'reason!': one('R', 'S'),
    'message!': word,
    'lastTransitionTime!': one('2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'),
    observedGeneration: number
  })
)

const env = items(
  [{ name: 'E' }, { name: 'F' }, { name: 'G' }],
  either(
    fields({ value: word }),
    fields({ 'valueFrom!': fields({ 'fieldRef!': fields({ 'fieldPath!': one('metadata.name', 'metadata.uid') }) }) })
  )
)
const ports = items(
  [{ containerPort: 80 }, { containerPort: 80, protocol: 'UDP' }, { containerPort: 80, protocol: 'TCP' }, { containerPort: 443 }],
  fields({ name: one('p', 'q', 'r'), hostIP: one('10.1.1.1') })
)
const resources = fields({ limits: map(['cpu', 'memory'], one('2', '3')), requests: map(['cpu', 'memory'], one('1', '2')) })
const probe = fields({
  'httpGet!': fields({
    'port!': either(one(80, 81), one('p')),
    path: one('/a', '/b'),
    httpHeaders: list(fields({ 'name!': one('A'), 'value!': word }))
  }),
  periodSeconds: number,
  timeoutSeconds: number
})
const securityContext = fields({
  runAsUser: number,
  runAsNonRoot: flag,
  capabilities: fields({ add: list(one('A', 'B')), drop: list(one('C')) })
})
const container = fields({
  image: one('i:1', 'i:2'),
  env,
  ports,
  resources,
  args: list(word),
  command: list(word),
  volumeMounts: items(
    [{ mountPath: '/a' }, { mountPath: '/b' }],
    fields({ 'name!': one('v', 'w'), readOnly: flag, subPath: one('s') })
  ),
  livenessProbe: probe,
  securityContext,
  envFrom: list(fields({ prefix: one('P'), 'configMapRef!': fields({ name: one('a', 'b'), optional: flag }) }))
})
const containers = items([{ name: 'x' }, { name: 'y' }, { name: 'z' }], container)
const volumes = items(
  [{ name: 'v' }, { name: 'w' }],
  either(
    fields({ 'emptyDir!': fields({ medium: one('Memory'), sizeLimit: quantity }) }),
    fields({
      'configMap!': fields({
        name: one('a', 'b'),
        items: list(fields({ 'key!': one('k'), 'path!': one('p', 'q') })),
        optional: flag
      })
    }),
    fields({
      'projected!': fields({
        sources: list(fields({ 'configMap!': fields({ name: one('a', 'b'), optional: flag }) })),
        defaultMode: one(420, 256)
      })
    }),
    fields({
      'csi!': fields({
        'driver!': one('d'),
        volumeAttributes: map(['a', 'b'], word),
        nodePublishSecretRef: fields({ name: one('a', 'b') })
      })
    })
  )
)
const podSpec = fields({
  'containers!': containers,
  initContainers: items([{ name: 'i' }], container),
  volumes,
  nodeSelector: labels,
  tolerations: list(fields({ 'key!': one('a', 'b'), 'operator!': one('Exists'), effect: one('NoSchedule', 'NoExecute') })),
  hostAliases: items([{ ip: '10.1.1.1' }, { ip: '10.1.1.2' }], fields({ hostnames: list(one('a', 'b')) })),
  imagePullSecrets: items([{ name: 'a' }, { name: 'b' }], fields({})),
  topologySpreadConstraints: items(
    [
      { topologyKey: 'a', whenUnsatisfiable: 'DoNotSchedule' },
      { topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' },
      { topologyKey: 'b', whenUnsatisfiable: 'ScheduleAnyway' }
    ],
    fields({ 'maxSkew!': number, labelSelector: selector })
  ),
  securityContext: fields({
    runAsUser: number,
    fsGroup: number,
    sysctls: list(fields({ 'name!': one('a.b'), 'value!': word })),
    supplementalGroups: list(number)
  }),
  affinity: fields({
    podAntiAffinity: fields({
      requiredDuringSchedulingIgnoredDuringExecution: list(fields({ 'topologyKey!': one('a', 'b'), labelSelector: selector }))
    })
  }),
  dnsConfig: fields({ nameservers: list(one('10.1.1.1')), options: list(fields({ name: one('a', 'b'), value: word })) }),
  readinessGates: list(fields({ 'conditionType!': one('A', 'B') })),
  resourceClaims: items([{ name: 'r' }, { name: 's' }], fields({ 'resourceClaimName!': one('a', 'b') })),
  schedulingGates: items([{ name: 'g' }, { name: 'h' }], fields({})),
  overhead: map(['cpu'], quantity),
  priorityClassName: one('system-node-critical'),
  terminationGracePeriodSeconds: number,
  hostname: one('a', 'b')
})
const template = fields({ metadata: fields({ labels, annotations: labels, finalizers: set('a.b/c') }), spec: podSpec })
const owned = fields({ 'metadata!': fields({ 'labels!': one({ a: 'b' }) }), 'spec!': podSpec })

const schemaProps =
  (depth = 2) =>
  (random, before) =>
    fields({
      type: one('object', 'string', 'integer'),
      description: word,
      default: free(2),
      example: free(2),
      enum: list(free(1)),
      ...(depth > 0
        ? { properties: map(['a', 'b'], schemaProps(depth - 1)), additionalProperties: either(flag, schemaProps(0)) }
        : {}),
      required: list(one('a', 'b')),
      'x-kubernetes-preserve-unknown-fields': one(true),
      nullable: flag
    })(random, before)

const rules = list(
  fields({
    'apiGroups!': one([''], ['apps'], ['*']),
    'resources!': one(['pods'], ['pods', 'pods/log'], ['*']),
    'verbs!': one(['get'], ['get', 'list']),
    resourceNames: list(one('a', 'b'))
  })
)
const matchConditions = items([{ name: 'm' }, { name: 'n' }], fields({ 'expression!': one('true', '1 == 1') }))
const resourceRules = list(
  fields({
    'apiGroups!': one(['none.example.com']),
    'apiVersions!': one(['v1'], ['*']),
    'operations!': one(['CREATE'], ['CREATE', 'UPDATE']),
    'resources!': one(['things'], ['others'])
  }),
  2,
  1
)
const matchConstraints = fields({
  'resourceRules!': resourceRules,
  namespaceSelector: selector,
  objectSelector: selector,
  matchPolicy: one('Exact', 'Equivalent')
})
const webhooks = items(
  [{ name: 'a.example.com' }, { name: 'b.example.com' }],
  fields({
    'clientConfig!': either(
      fields({ 'url!': one('https://127.0.0.1:1/a', 'https://127.0.0.1:1/b') }),
      fields({ 'service!': fields({ 'namespace!': one('none'), 'name!': one('a', 'b'), path: one('/a'), port: one(443, 444) }) })
    ),
    'sideEffects!': one('None'),
    'admissionReviewVersions!': one(['v1'], ['v1', 'v1beta1']),
    rules: resourceRules,
    namespaceSelector: selector,
    matchConditions,
    timeoutSeconds: number
  })
)
const backend = fields({ 'service!': fields({ 'name!': one('a', 'b'), 'port!': fields({ 'number!': one(80, 81) }) }) })
const metric = either(
  fields({
    'type!': one('Resource'),
    'resource!': fields({
      'name!': one('cpu', 'memory'),
      'target!': fields({ 'type!': one('Utilization'), 'averageUtilization!': one(50, 60) })
    })
  }),
  fields({
    'type!': one('Pods'),
    'pods!': fields({
      'metric!': fields({ 'name!': one('m'), selector }),
      'target!': fields({ 'type!': one('AverageValue'), 'averageValue!': one('1', '2') })
    })
  })
)
const scalingRules = fields({
  stabilizationWindowSeconds: one(1, 60),
  selectPolicy: one('Max', 'Min'),
  policies: list(fields({ 'type!': one('Pods', 'Percent'), 'value!': number, 'periodSeconds!': one(15, 60) }), 2, 1)
})
const deviceConfig = list(
  fields({
    requests: list(one('r')),
    'opaque!': fields({ 'driver!': one('d.example.com', 'e.example.com'), 'parameters!': freeObject(3) })
  })
)
const endpointAddresses = list(fields({ 'ip!': one('10.1.1.1', '10.1.1.2'), hostname: one('a', 'b'), nodeName: one('n') }))
const peers = list(
  either(
    fields({ podSelector: selector, namespaceSelector: selector }),
    fields({ 'ipBlock!': fields({ 'cidr!': one('10.0.0.0/8'), except: list(one('10.1.0.0/16')) }) })
  )
)
const policyPorts = list(fields({ protocol: one('TCP', 'UDP'), port: either(one(80, 81), one('p')), endPort: one(90) }))

const kind = (apiVersion, name, plural, shape, more = {}) => ({ apiVersion, kind: name, plural, shape, ...more })
const cluster = { isCluster: true }
const withStatus = status => ({ status: fields({ 'status!': status }) })
const scalable = { subresources: { scale: {} } }

/** By name: the versions of a kind. */
export const builtinKinds = {
  configmap: [
    kind(
      'v1',
      'ConfigMap',
      'configmaps',
      fields({ data: orNull(map(['a', 'b', 'c'], one('', '1', '2'))), binaryData: map(['d'], one('AQ==', 'Ag==')) })
    )
  ],
  secret: [
    kind('v1', 'Secret', 'secrets', fields({ data: map(['a', 'b'], one('AQ==', 'Ag==')), stringData: map(['a', 'c'], word) }))
  ],
  service: [
    kind(
      'v1',
      'Service',
      'services',
      fields({
        'spec!': fields({
          'clusterIP!': one('None'),
          'ports!': (random, before) =>
            items(
              [
                { port: 80 },
                { port: 80, protocol: 'UDP' },
                { port: 80, protocol: 'TCP' },
                { port: 80, protocol: 'SCTP' },
                { port: 443 }
              ],
              fields({
                'name!': one('p', 'q', 'r', 's'),
                targetPort: either(one(80, 81), one('t')),
                appProtocol: one('http', 'a.b/c')
              })
            )(random, before),
          selector: labels,
          externalIPs: list(one('10.9.9.9', '10.9.9.8')),
          sessionAffinity: one('None', 'ClientIP'),
          publishNotReadyAddresses: flag,
          ipFamilies: one(['IPv4']),
          internalTrafficPolicy: one('Cluster', 'Local')
        })
      }),
      withStatus(
        fields({
          conditions: metaConditions,
          loadBalancer: fields({
            ingress: list(fields({ 'ip!': one('10.1.1.1'), ports: list(fields({ 'port!': number, 'protocol!': one('TCP') })) }))
          })
        })
      )
    )
  ],
  pod: [
    kind(
      'v1',
      'Pod',
      'pods',
      fields({
        'spec!': fields({
          'containers!': (random, before) => [
            {
              name: 'x',
              image: one('i:1', 'i:2')(random, before?.[0]?.image),
              ports: random.chance(0.3) ? [{ containerPort: 1 }, { containerPort: 1, protocol: 'UDP' }] : undefined
            }
          ],
          'automountServiceAccountToken!': one(false),
          tolerations: list(fields({ 'key!': one('a', 'b'), 'operator!': one('Exists') })),
          activeDeadlineSeconds: one(3, 2, 1),
          schedulingGates: items([{ name: 'g' }, { name: 'h' }], fields({})),
          terminationGracePeriodSeconds: one(0)
        })
      }),
      withStatus(
        fields({
          phase: one('Pending', 'Running'),
          conditions: conditions({ message: word }),
          podIPs: items([{ ip: '10.1.1.1' }], fields({})),
          message: word,
          containerStatuses: list(
            fields({ 'name!': one('x'), 'image!': one('i'), 'imageID!': one(''), 'ready!': flag, 'restartCount!': number }),
            1
          )
        })
      )
    )
  ],
  podtemplate: [kind('v1', 'PodTemplate', 'podtemplates', fields({ 'template!': template }))],
  node: [
    kind(
      'v1',
      'Node',
      'nodes',
      fields({
        spec: fields({
          taints: list(fields({ 'key!': one('a', 'b'), 'effect!': one('NoSchedule', 'NoExecute'), value: word })),
          unschedulable: flag,
          podCIDRs: one(['10.5.0.0/24']),
          providerID: one('p')
        })
      }),
      {
        ...cluster,
        ...withStatus(
          fields({
            conditions: conditions({ message: word }),
            addresses: items([{ type: 'InternalIP' }, { type: 'Hostname' }], fields({ 'address!': one('10.1.1.1', 'a') })),
            capacity: map(['cpu', 'memory'], quantity),
            allocatable: map(['cpu', 'memory'], quantity),
            images: list(fields({ names: list(one('a', 'b')), sizeBytes: number })),
            volumesInUse: list(one('a', 'b')),
            daemonEndpoints: fields({ kubeletEndpoint: fields({ 'Port!': one(1, 2) }) })
          })
        )
      }
    )
  ],
  persistentvolume: [
    kind(
      'v1',
      'PersistentVolume',
      'persistentvolumes',
      fields({
        'spec!': fields({
          'capacity!': one({ storage: '1Gi' }, { storage: '2Gi' }),
          'accessModes!': one(['ReadWriteOnce'], ['ReadWriteOnce', 'ReadOnlyMany']),
          'hostPath!': one({ path: '/tmp' }),
          mountOptions: list(one('a', 'b')),
          claimRef: fields({ name: one('a', 'b'), namespace: one('n'), uid: one('u') }),
          storageClassName: one('', 's'),
          persistentVolumeReclaimPolicy: one('Retain', 'Delete')
        })
      }),
      { ...cluster, ...withStatus(fields({ phase: one('Available', 'Bound'), message: word, reason: word })) }
    )
  ],
  endpoints: [
    kind(
      'v1',
      'Endpoints',
      'endpoints',
      fields({
        subsets: list(
          fields({
            addresses: endpointAddresses,
            notReadyAddresses: endpointAddresses,
            ports: list(fields({ 'port!': one(80, 81), name: one('p', 'q'), protocol: one('TCP', 'UDP') }))
          })
        )
      })
    )
  ],
  endpointslice: [
    kind(
      'discovery.k8s.io/v1',
      'EndpointSlice',
      'endpointslices',
      fields({
        'addressType!': one('IPv4'),
        'endpoints!': list(
          fields({
            'addresses!': one(['10.1.1.1'], ['10.1.1.2']),
            conditions: fields({ ready: flag, serving: flag }),
            hints: fields({ forZones: list(fields({ 'name!': one('z', 'y') })) })
          })
        ),
        ports: list(fields({ 'name!': one('p', 'q'), 'port!': one(80, 81), protocol: one('TCP', 'UDP') }), 1)
      })
    )
  ],
  serviceaccount: [
    kind(
      'v1',
      'ServiceAccount',
      'serviceaccounts',
      fields({
        secrets: items([{ name: 'a' }, { name: 'b' }], fields({ namespace: one('n', 'm') })),
        imagePullSecrets: list(fields({ name: one('a', 'b') })),
        automountServiceAccountToken: flag
      })
    )
  ],
  limitrange: [
    kind(
      'v1',
      'LimitRange',
      'limitranges',
      fields({
        'spec!': fields({
          'limits!': list(fields({ 'type!': one('Container'), default: one({ cpu: '2' }), max: map(['cpu'], one('3')) }))
        })
      }),
      { namespace: 'kube-public' }
    )
  ],
  claim: [
    kind(
      'v1',
      'PersistentVolumeClaim',
      'persistentvolumeclaims',
      fields({ 'spec!': one({ accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }) }),
      withStatus(
        fields({
          phase: one('Pending', 'Bound'),
          conditions: conditions({ message: word }),
          capacity: map(['storage'], one('1Gi', '2Gi')),
          accessModes: list(one('ReadWriteOnce')),
          allocatedResources: map(['storage'], one('1Gi'))
        })
      )
    )
  ],
  networkpolicy: [
    kind(
      'networking.k8s.io/v1',
      'NetworkPolicy',
      'networkpolicies',
      fields({
        'spec!': fields({
          'podSelector!': selector,
          ingress: list(fields({ from: peers, ports: policyPorts })),
          egress: list(fields({ to: peers, ports: policyPorts })),
          policyTypes: one(['Ingress'], ['Ingress', 'Egress'])
        })
      })
    )
  ],
  ingress: [
    kind(
      'networking.k8s.io/v1',
      'Ingress',
      'ingresses',
      fields({
        'spec!': fields({
          'defaultBackend!': backend,
          ingressClassName: one('a', 'b'),
          tls: list(fields({ hosts: list(one('a.b', 'c.d')), secretName: one('s', 't') })),
          rules: list(
            fields({
              host: one('a.b', 'c.d'),
              'http!': fields({
                'paths!': list(fields({ path: one('/', '/a'), 'pathType!': one('Prefix', 'Exact'), 'backend!': backend }), 2, 1)
              })
            })
          )
        })
      }),
      withStatus(
        fields({
          loadBalancer: fields({
            ingress: list(fields({ 'ip!': one('10.1.1.1'), ports: list(fields({ 'port!': number, 'protocol!': one('TCP') })) }))
          })
        })
      )
    )
  ],
  ingressclass: [
    kind(
      'networking.k8s.io/v1',
      'IngressClass',
      'ingressclasses',
      fields({
        'spec!': fields({
          'controller!': one('a.b/c'),
          parameters: fields({ 'kind!': one('K', 'L'), 'name!': one('a', 'b'), apiGroup: one('g.io'), scope: one('Cluster') })
        })
      }),
      cluster
    )
  ],
  deployment: [
    kind(
      'apps/v1',
      'Deployment',
      'deployments',
      fields({
        'spec!': fields({
          'selector!': one({ matchLabels: { a: 'b' } }),
          'template!': owned,
          replicas: number,
          strategy: either(
            fields({ 'type!': one('Recreate') }),
            fields({
              'type!': one('RollingUpdate'),
              rollingUpdate: fields({ maxSurge: either(one(1, 2), one('25%')), maxUnavailable: one(1, '10%') })
            })
          ),
          minReadySeconds: number
        })
      }),
      {
        ...withStatus(fields({ replicas: number, conditions: conditions({ message: word }), observedGeneration: number })),
        ...scalable
      }
    )
  ],
  statefulset: [
    kind(
      'apps/v1',
      'StatefulSet',
      'statefulsets',
      fields({
        'spec!': fields({
          'selector!': one({ matchLabels: { a: 'b' } }),
          'serviceName!': one('s'),
          'template!': owned,
          replicas: number,
          updateStrategy: fields({ rollingUpdate: fields({ partition: number, maxUnavailable: one(1, '10%') }) }),
          ordinals: fields({ start: number }),
          persistentVolumeClaimRetentionPolicy: fields({
            whenDeleted: one('Retain', 'Delete'),
            whenScaled: one('Retain', 'Delete')
          })
        })
      }),
      { ...withStatus(fields({ 'replicas!': number, conditions: conditions({ message: word }) })), ...scalable }
    )
  ],
  cronjob: [
    kind(
      'batch/v1',
      'CronJob',
      'cronjobs',
      fields({
        'spec!': fields({
          'schedule!': one('@hourly', '@daily'),
          'jobTemplate!': fields({
            metadata: fields({ labels, annotations: labels }),
            'spec!': fields({
              'template!': (random, before) => {
                const made = fields({ metadata: fields({ labels }), 'spec!': podSpec })(random, before)
                return { ...made, spec: { ...made.spec, restartPolicy: 'Never' } }
              },
              completions: number,
              podFailurePolicy: fields({
                'rules!': list(
                  fields({
                    'action!': one('Ignore', 'Count'),
                    'onPodConditions!': list(fields({ 'type!': one('A', 'B'), status: one('True') }), 2, 1)
                  })
                )
              })
            })
          }),
          suspend: flag,
          timeZone: one('Etc/UTC')
        })
      }),
      withStatus(fields({ active: list(fields({ name: one('a', 'b') })), lastScheduleTime: one('2024-01-01T00:00:00Z') }))
    )
  ],
  controllerrevision: [
    kind(
      'apps/v1',
      'ControllerRevision',
      'controllerrevisions',
      fields({ 'revision!': number, data: one({ a: { b: [1, { c: null }] }, d: {} }, { spec: { template: {} } }) })
    )
  ],
  hpa: [
    kind(
      'autoscaling/v2',
      'HorizontalPodAutoscaler',
      'horizontalpodautoscalers',
      fields({
        'spec!': fields({
          'maxReplicas!': one(3, 4),
          minReplicas: one(1, 2),
          'scaleTargetRef!': one({ kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }),
          metrics: list(metric),
          behavior: fields({ scaleUp: scalingRules, scaleDown: scalingRules })
        })
      }),
      withStatus(fields({ 'desiredReplicas!': number, currentReplicas: number, conditions: conditions({ message: word }) }))
    ),
    kind(
      'autoscaling/v1',
      'HorizontalPodAutoscaler',
      'horizontalpodautoscalers',
      fields({
        'spec!': fields({
          'maxReplicas!': one(3, 4),
          minReplicas: one(1, 2),
          'scaleTargetRef!': one({ kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }),
          targetCPUUtilizationPercentage: one(50, 60)
        })
      }),
      withStatus(fields({ 'desiredReplicas!': number, 'currentReplicas!': number, currentCPUUtilizationPercentage: one(1, 2) }))
    )
  ],
  budget: [
    kind(
      'policy/v1',
      'PodDisruptionBudget',
      'poddisruptionbudgets',
      fields({
        'spec!': fields({ selector, minAvailable: either(one(1, 2), one('50%')), unhealthyPodEvictionPolicy: one('AlwaysAllow') })
      }),
      withStatus(
        fields({
          'disruptionsAllowed!': number,
          'currentHealthy!': number,
          'desiredHealthy!': number,
          'expectedPods!': number,
          conditions: metaConditions,
          disruptedPods: map(['p', 'q'], one('2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'))
        })
      )
    )
  ],
  definition: [
    kind(
      'apiextensions.k8s.io/v1',
      'CustomResourceDefinition',
      'customresourcedefinitions',
      fields({
        'spec!': fields({
          'group!': one('$ID.none.example.com'),
          'scope!': one('Cluster'),
          'names!': fields({
            'plural!': one('things'),
            'kind!': one('Thing'),
            shortNames: list(one('t', 'u')),
            categories: list(one('a', 'b'))
          }),
          'versions!': list(
            fields({
              'name!': one('v1'),
              'served!': one(false),
              'storage!': one(true),
              'schema!': fields({
                'openAPIV3Schema!': (random, before) => ({
                  ...schemaProps(2)(random, before),
                  type: 'object',
                  default: undefined,
                  nullable: undefined,
                  enum: undefined
                })
              }),
              additionalPrinterColumns: list(
                fields({ 'name!': one('A', 'B'), 'type!': one('string'), 'jsonPath!': one('.a', '.b') })
              ),
              subresources: fields({
                status: one({}),
                scale: fields({ 'specReplicasPath!': one('.spec.a'), 'statusReplicasPath!': one('.status.b') })
              })
            }),
            1,
            1
          )
        })
      }),
      { ...cluster, name: 'things.$ID.none.example.com' }
    )
  ],
  policy: [
    kind(
      'admissionregistration.k8s.io/v1',
      'ValidatingAdmissionPolicy',
      'validatingadmissionpolicies',
      fields({
        'spec!': fields({
          'matchConstraints!': matchConstraints,
          'validations!': list(
            fields({ 'expression!': one('true', '1 == 1'), message: word, reason: one('Invalid', 'Forbidden') }),
            2,
            1
          ),
          paramKind: fields({ 'apiVersion!': one('v1', 'g.io/v1'), 'kind!': one('ConfigMap', 'Thing') }),
          matchConditions,
          variables: items([{ name: 'a' }, { name: 'b' }], fields({ 'expression!': one('1', '2') })),
          auditAnnotations: list(fields({ 'key!': one('a', 'b'), 'valueExpression!': one("'x'", "'y'") })),
          failurePolicy: one('Fail', 'Ignore')
        })
      }),
      { ...cluster, ...withStatus(fields({ conditions: metaConditions, observedGeneration: number })) }
    )
  ],
  binding: [
    kind(
      'admissionregistration.k8s.io/v1',
      'ValidatingAdmissionPolicyBinding',
      'validatingadmissionpolicybindings',
      fields({
        'spec!': fields({
          'policyName!': one('none'),
          'validationActions!': one(['Deny'], ['Audit', 'Warn']),
          paramRef: either(
            fields({ 'name!': one('a', 'b'), 'parameterNotFoundAction!': one('Allow', 'Deny'), namespace: one('n') }),
            fields({ 'selector!': selector, 'parameterNotFoundAction!': one('Deny') })
          ),
          matchResources: matchConstraints
        })
      }),
      cluster
    )
  ],
  webhook: [
    kind(
      'admissionregistration.k8s.io/v1',
      'ValidatingWebhookConfiguration',
      'validatingwebhookconfigurations',
      fields({ webhooks }),
      cluster
    )
  ],
  mutatingwebhook: [
    kind(
      'admissionregistration.k8s.io/v1',
      'MutatingWebhookConfiguration',
      'mutatingwebhookconfigurations',
      fields({ webhooks }),
      cluster
    )
  ],
  role: [kind('rbac.authorization.k8s.io/v1', 'Role', 'roles', fields({ 'rules!': rules }))],
  clusterrole: [
    kind(
      'rbac.authorization.k8s.io/v1',
      'ClusterRole',
      'clusterroles',
      fields({ rules, aggregationRule: fields({ clusterRoleSelectors: list(selector, 2, 1) }) }),
      cluster
    )
  ],
  rolebinding: [
    kind(
      'rbac.authorization.k8s.io/v1',
      'RoleBinding',
      'rolebindings',
      fields({
        'roleRef!': one({ apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'm' }),
        subjects: list(
          fields({ 'kind!': one('User', 'Group'), 'name!': one('a', 'b'), apiGroup: one('rbac.authorization.k8s.io') })
        )
      })
    )
  ],
  deviceclass: [
    kind(
      'resource.k8s.io/v1',
      'DeviceClass',
      'deviceclasses',
      fields({
        'spec!': fields({
          selectors: list(fields({ 'cel!': fields({ 'expression!': one('true', "device.driver == 'a'") }) })),
          config: list(
            fields({ 'opaque!': fields({ 'driver!': one('d.example.com', 'e.example.com'), 'parameters!': freeObject(3) }) })
          ),
          extendedResourceName: one('a.b/c')
        })
      }),
      cluster
    )
  ],
  resourceclaim: [
    kind(
      'resource.k8s.io/v1',
      'ResourceClaim',
      'resourceclaims',
      fields({
        'spec!': fields({
          devices: fields({ requests: one([{ name: 'r', exactly: { deviceClassName: 'c' } }]), config: deviceConfig })
        })
      }),
      withStatus(
        fields({
          allocation: one({ devices: { results: [{ request: 'r', driver: 'd.example.com', pool: 'p', device: 'v' }] } }),
          devices: items(
            [{ driver: 'd.example.com', pool: 'p', device: 'v' }],
            fields({
              data: freeObject(3),
              conditions: metaConditions,
              networkData: fields({ interfaceName: one('a', 'b'), ips: list(one('10.1.1.1/24')) })
            })
          ),
          reservedFor: items([{ uid: 'u' }, { uid: 'v' }], fields({ 'resource!': one('pods'), 'name!': one('p') }))
        })
      )
    )
  ],
  claimtemplate: [
    kind(
      'resource.k8s.io/v1',
      'ResourceClaimTemplate',
      'resourceclaimtemplates',
      fields({
        'spec!': fields({
          metadata: fields({ labels }),
          'spec!': fields({
            devices: fields({ requests: one([{ name: 'r', exactly: { deviceClassName: 'c' } }]), config: deviceConfig })
          })
        })
      })
    )
  ],
  storageclass: [
    kind(
      'storage.k8s.io/v1',
      'StorageClass',
      'storageclasses',
      fields({
        'provisioner!': one('p.example.com'),
        parameters: one({ a: '1' }),
        allowVolumeExpansion: flag,
        mountOptions: one(['a']),
        allowedTopologies: list(
          fields({ matchLabelExpressions: list(fields({ 'key!': one('a', 'b'), 'values!': list(one('1', '2'), 2, 1) }), 2, 1) }),
          1
        )
      }),
      cluster
    )
  ],
  csinode: [
    kind(
      'storage.k8s.io/v1',
      'CSINode',
      'csinodes',
      fields({
        'spec!': fields({
          'drivers!': items(
            [{ name: 'a.b' }, { name: 'c.d' }],
            fields({ 'nodeID!': one('n'), allocatable: fields({ count: number }) })
          )
        })
      }),
      cluster
    )
  ],
  lease: [
    kind(
      'coordination.k8s.io/v1',
      'Lease',
      'leases',
      fields({
        spec: fields({
          holderIdentity: one('a', 'b'),
          leaseDurationSeconds: number,
          renewTime: one('2024-01-01T00:00:00.000000Z', '2024-01-01T00:00:01.500000Z')
        })
      })
    )
  ],
  namespace: [
    kind('v1', 'Namespace', 'namespaces', fields({ spec: fields({}) }), {
      ...cluster,
      ...withStatus(fields({ conditions: conditions({ message: word }) }))
    })
  ],
  replicationcontroller: [
    kind(
      'v1',
      'ReplicationController',
      'replicationcontrollers',
      fields({ 'spec!': fields({ selector: one({ a: 'b' }), 'template!': owned, replicas: number }) }),
      { ...withStatus(fields({ 'replicas!': number, conditions: conditions({ message: word }) })), ...scalable }
    )
  ],
  runtimeclass: [
    kind(
      'node.k8s.io/v1',
      'RuntimeClass',
      'runtimeclasses',
      fields({
        'handler!': one('h'),
        overhead: fields({ podFixed: map(['cpu'], one('1', '2')) }),
        scheduling: fields({
          nodeSelector: labels,
          tolerations: list(fields({ 'key!': one('a', 'b'), 'operator!': one('Exists') }))
        })
      }),
      cluster
    )
  ]
}

/** The versions of a kind as sequence.mjs takes them. */
export function versionsOf(kinds) {
  return Object.fromEntries(
    kinds.map(({ apiVersion, kind, plural, isCluster, namespace = '$NS', name = '$ID', ...more }) => {
      const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
      const collection = `${root}${isCluster ? '' : `/namespaces/${namespace}`}/${plural}`
      return [apiVersion, { ...more, apiVersion, kind, collection, path: `${collection}/${name}` }]
    })
  )
}
