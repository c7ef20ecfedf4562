/** The metrics of kube-apiserver that Binnacle does not have, and why: docs/metrics.md shows this table. */
export const meaningless = [
  [/^go_/, 'the Go runtime; Node has nodejs_*'],
  [/^grpc_client_/, "the Go library of etcd's client; etcd_* tell of requests to etcd"],
  [
    /^rest_client_/,
    "client-go's REST client, with which kube-apiserver calls itself: parts of Binnacle call each other by functions. Calls to webhooks and KMS plugins have metrics of their own in both servers"
  ],
  [
    /^apiserver_kube_aggregator_/,
    'certificates of extension API servers that Go would refuse one day; Node refuses them by other rules'
  ],
  [/^apiserver_envelope_encryption_dek_cache_inter_arrival_time_seconds/, 'KMS v1, which is refused'],
  [/^apiserver_validation_/, 'two implementations of validation that are compared; there is one'],
  [
    /^apiserver_selfrequest_total$/,
    'requests that the server sends to itself; it has no such, but counts those of system:apiserver'
  ],
  [/^apiserver_storage_consistency_checks_total$/, 'comparisons of the watch cache with etcd'],
  [
    /^apiserver_watch_events_dispatch_duration_seconds$/,
    'the stages in which goroutines hand events over; a watch is told in the turn in which its event arrives'
  ],
  [
    /^informer_/,
    "queues of client-go's informers, through which kube-apiserver follows itself; parts of Binnacle follow the watch caches"
  ],
  [/^etcd_bookmark_/, 'progress notifications, which etcd is not asked for'],
  [/^node_authorizer_graph_/, 'the graph of objects that nodes may read; an index of the watch cache finds them'],
  [/^apiserver_nodeport_repair_/, 'a loop that repairs allocations; they are written together with the Services'],
  [/^apiserver_webhooks_x509_/, 'certificates that Go refuses and older versions of Go accepted'],
  [/^apiserver_request_timestamp_comparison_time$/, 'a comparison that is part of the comparison of managed fields'],
  [/^apiextensions_openapi_v[23]_regeneration_count$/, 'documents that are made when they are asked for'],
  [/^apiextensions_apiserver_validation_ratcheting_seconds$/, 'a comparison that is made while values are validated']
]

/** Returns why Binnacle does not have a metric; undefined when it should. */
export const whyMissing = name => meaningless.find(([pattern]) => pattern.test(name))?.[1]
