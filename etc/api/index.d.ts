// The public types of binnacle. Written by scripts/release/api-report.mjs.
import { Duplex, Readable, Writable } from 'node:stream';
export type { AdmissionOperation }
export type { AdmissionPlugin }
export type { AdmissionRequest }
export type { AnsweredRequest }
export type { AppliedMetadata }
export type { AppliedObject }
export type { ApplyOptions }
export type { AttachOptions }
export type { Authenticated }
export type { AuthorizationAttributes }
export type { AuthorizationMode }
export type { Authorizer }
export type { Behavior }
export type { BinnacleServer }
export type { BuiltinClients }
export type { BuiltinKinds }
export type { BuiltinTypes }
export type { Cache }
export type { CachedKind }
export type { CachedObjects }
export type { Caller }
export type { CertificateUser }
export type { ClientOptions }
export type { Clock }
export type { ClusterClient }
export type { CommandOutput }
export type { CommitResult }
export type { CompactionOptions }
export type { ConnectOptions }
export type { Conversion }
export type { CopyOptions }
export type { Decision }
export type { DefinitionManifest }
export type { DeleteOptions }
export type { Directives }
export type { Draft }
export type { EndpointOptions }
export type { ExecOptions }
export type { ExecResult }
export type { Fault }
export type { FaultHit }
export type { FaultRule }
export type { Faults }
export type { FieldError }
export type { FieldErrorReason }
export type { FieldRequirement }
export type { ForkOptions }
export type { GeneratedMetadata }
export type { GroupKind }
export type { GroupResource$1 as GroupResource }
export type { GroupResources }
export type { HealthCheck }
export type { HealthOptions }
export type { HostOptions }
export type { Incoming }
export type { Informer }
export type { InformerOptions }
export type { InjectedRequest }
export type { InjectedResponse }
export type { JsonPatchOperation }
export type { JsonSchema }
export type { KeyValue }
export type { KindRef }
export type { KindTypes }
export type { KindVersion }
export type { KubeClient }
export type { KubeList }
export type { KubeObject }
export type { LeaderElectionOptions }
export type { ListOptions }
export type { ListResult }
export type { ListSelection }
export type { LogOptions }
export type { Logger }
export type { ManagedFieldsEntry }
export type { ManifestOptions }
export type { ManifestSource }
export type { ManifestsOptions }
export type { MergePatch }
export type { MetadataDraft }
export type { Named }
export type { NamedMetadata }
export type { NamedObject }
export type { NamespacedMetadata }
export type { NewCondition }
export type { NewMetadata }
export type { NewObject }
export type { NonResourceRule }
export type { ObjectChange }
export type { ObjectMetadata }
export type { ObjectName }
export type { ObjectOptions }
export type { OpenImage }
export type { OpenWebSocket }
export type { OperationContext }
export type { Operator }
export type { OperatorKind }
export type { OperatorManifest }
export type { OwnKind }
export type { OwnSubresources }
export type { OwnVersion }
export type { OwnedKind }
export type { OwnerReference }
export type { PatchBody }
export type { PatchOptions }
export type { PatchType }
export type { PermissionRule }
export type { Policy }
export type { PolicyRule }
export type { PortForward }
export type { PortForwardOptions }
export type { Predicate }
export type { ReadOptions }
export type { ReconcileContext }
export type { ReconcileRequest }
export type { ReconcileResult }
export type { Reconciler }
export type { RecordedRequest }
export type { RecordedStep }
export type { RecordedWrite }
export type { Recorder }
export type { RecorderOptions }
export type { RecorderSelection }
export type { RecorderView }
export type { ResourceClient }
export type { ResourceRule }
export type { RetryOptions }
export type { RunOptions }
export type { RunningOperator }
export type { Selection }
export type { ServerOptions }
export type { ServiceAccountReference }
export type { SetEntry }
export type { SetOptions }
export type { SetResult }
export type { SharedInformers }
export type { SimulateOptions }
export type { Snapshot }
export type { SnapshotList }
export type { StandardSchema }
export type { Status$1 as Status }
export type { StatusCause$1 as StatusCause }
export type { StatusDetails$1 as StatusDetails }
export type { Store }
export type { StoreEvent }
export type { StoreImage }
export type { StoredValues }
export type { StrategicPatch }
export type { StreamedAnswer }
export type { SubresourceClient }
export type { TakeSnapshotOptions }
export type { TemplateMetadata }
export type { TerminalSize }
export type { TextClient }
export type { Timer }
export type { TokenAuthenticator }
export type { TypedJsonSchema }
export type { UntilCondition }
export type { UntilOptions }
export type { UntypedObject }
export type { UserInfo$2 as UserInfo }
export type { UserRules }
export type { WatchEvent }
export type { WatchFault }
export type { WatchHandle }
export type { WatchSelection }
export type { WatchedKind }
export type { Watcher }
export type { Webhook }
export type { WebhookOptions }
export type { WebhookRequest }
export type { Write }
export type { WriteOptions }
export type { Written }
export { CompactedError }
export { ConnectionError }
export { FieldErrors }
export { FutureRevisionError }
export { Path }
export { StatusError }
export { StoreUnavailableError }
export { TerminalError }
export { TokenError }
export { TrailingError }
export { UserError }
export { addFinalizer }
export { and }
export { annotationsChanged }
export { attach }
export { badRequest }
export { conflict }
export { connect }
export { connectToPort }
export { controllerOf }
export { copyFrom }
export { copyTo }
export { createOrPatch }
export { createOrUpdate }
export { createServer }
export { defineKind }
export { defineOperator }
export { defineReconciler }
export { defineWatch }
export { defineWebhook }
export { denied }
export { exec }
export { findCondition }
export { forbidden }
export { generationChanged }
export { hasControllerReference }
export { hasFinalizer }
export { invalidObject }
export { isConditionTrue }
export { kindRef }
export { labelsChanged }
export { logs }
export { manifestsOf }
export { not }
export { notFound }
export { openMemoryStore }
export { or }
export { portForward }
export { removeCondition }
export { removeFinalizer }
export { removeOwnerReference }
export { resourceVersionChanged }
export { retryOnConflict }
export { runOperator }
export { runUntilSignal }
export { setCondition }
export { setControllerReference }
export { setOwnerReference }
export { sharedInformers }
export { structuralSchema }
export { takeSnapshot }
export { terminalError }
export { tooManyRequests }
export { unavailable }
export { until }
export { withoutManagedFields }
interface APIService {
    kind: 'APIService';
    apiVersion: 'apiregistration.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: APIServiceSpec;
    status: APIServiceStatus;
}
interface APIServiceApply {
    kind?: 'APIService' | undefined;
    apiVersion?: 'apiregistration.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: APIServiceSpecApply | undefined;
    status?: APIServiceStatus | undefined;
}
interface APIServiceCondition {
    type: string;
    status: string;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface APIServiceDraft {
    kind?: 'APIService' | undefined;
    apiVersion?: 'apiregistration.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: APIServiceSpec;
    status?: APIServiceStatus | undefined;
}
interface APIServiceSpec {
    service?: ApiregistrationServiceReference | undefined;
    group?: string | undefined;
    version?: string | undefined;
    insecureSkipTLSVerify?: boolean | undefined;
    caBundle?: string | undefined;
    groupPriorityMinimum: number;
    versionPriority: number;
}
interface APIServiceSpecApply {
    service?: ApiregistrationServiceReference | undefined;
    group?: string | undefined;
    version?: string | undefined;
    insecureSkipTLSVerify?: boolean | undefined;
    caBundle?: string | undefined;
    groupPriorityMinimum?: number | undefined;
    versionPriority?: number | undefined;
}
interface APIServiceStatus {
    conditions?: APIServiceCondition[] | undefined;
}
interface AWSElasticBlockStoreVolumeSource {
    volumeID: string;
    fsType?: string | undefined;
    partition?: number | undefined;
    readOnly?: boolean | undefined;
}
interface AWSElasticBlockStoreVolumeSource$1 {
    volumeID: string;
    fsType?: string | undefined;
    partition?: number | undefined;
    readOnly?: boolean | undefined;
}
interface AWSElasticBlockStoreVolumeSourceApply {
    volumeID?: string | undefined;
    fsType?: string | undefined;
    partition?: number | undefined;
    readOnly?: boolean | undefined;
}
type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
interface AdmissionPlugin {
    readonly name: string;
    readonly operations?: readonly AdmissionOperation[] | undefined;
    readonly resources?: readonly string[] | undefined;
    readonly subresources?: readonly string[] | '*' | undefined;
    admit?(request: AdmissionRequest): void | Promise<void>;
    validate?(request: AdmissionRequest): void | Promise<void>;
}
interface AdmissionRequest {
    readonly operation: AdmissionOperation;
    readonly resource: GroupResource$1;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
    readonly object: any;
    readonly oldObject: any;
    readonly context: OperationContext;
}
interface Affinity {
    nodeAffinity?: NodeAffinity | undefined;
    podAffinity?: PodAffinity | undefined;
    podAntiAffinity?: PodAntiAffinity | undefined;
}
interface Affinity$1 {
    nodeAffinity?: NodeAffinity$1 | undefined;
    podAffinity?: PodAffinity$1 | undefined;
    podAntiAffinity?: PodAntiAffinity$1 | undefined;
}
interface AffinityApply {
    nodeAffinity?: NodeAffinityApply | undefined;
    podAffinity?: PodAffinity$1 | undefined;
    podAntiAffinity?: PodAntiAffinity$1 | undefined;
}
interface AggregationRule {
    clusterRoleSelectors?: LabelSelector[] | undefined;
}
type AllCompositeDisruptionMode = Record<string, never>;
type AllDisruptionMode = Record<string, never>;
interface AllocatedDeviceStatus {
    driver: string;
    pool: string;
    device: string;
    conditions: Condition[] | null;
    data?: Record<string, unknown> | undefined;
    networkData?: NetworkDeviceData | undefined;
    shareID?: string | undefined;
}
interface AllocationResult {
    devices: DeviceAllocationResult;
    nodeSelector?: NodeSelector$1 | undefined;
    allocationTimestamp?: string | undefined;
}
interface AnsweredRequest {
    readonly method: string;
    readonly host: string;
    readonly path: string;
    readonly code: number | undefined;
    readonly ms: number;
}
type AnyTypes = KindTypes<any, any, any, any, any, any, any>;
interface ApiregistrationServiceReference {
    namespace?: string | undefined;
    name?: string | undefined;
    port?: number | undefined;
}
interface AppArmorProfile {
    type: string;
    localhostProfile?: string | undefined;
}
interface AppArmorProfile$1 {
    type: 'Localhost' | 'RuntimeDefault' | 'Unconfined';
    localhostProfile?: string | undefined;
}
interface AppArmorProfileApply {
    type?: 'Localhost' | 'RuntimeDefault' | 'Unconfined' | undefined;
    localhostProfile?: string | undefined;
}
interface AppliedMetadata {
    name: string;
    namespace?: string | undefined;
    uid?: string | undefined;
    resourceVersion?: string | undefined;
    labels?: Record<string, string> | undefined;
    annotations?: Record<string, string> | undefined;
    ownerReferences?: OwnerReference[] | undefined;
    finalizers?: string[] | undefined;
}
type AppliedObject<T> = Draft<T> & {
    metadata: NamedMetadata;
};
interface ApplyConfiguration {
    expression?: string | undefined;
}
interface ApplyOptions extends WriteOptions {
    readonly force?: boolean | undefined;
}
interface AttachOptions {
    readonly namespace?: string | undefined;
    readonly container?: string | undefined;
    readonly stdin?: Readable | string | Uint8Array | undefined;
    readonly stdout?: Writable | undefined;
    readonly stderr?: Writable | undefined;
    readonly tty?: boolean | undefined;
    readonly sizes?: AsyncIterable<TerminalSize> | undefined;
    readonly signal?: AbortSignal | undefined;
}
interface AttachedVolume {
    name: string;
    devicePath: string;
}
interface AuditAnnotation {
    key: string;
    valueExpression: string;
}
declare const AuditLevel: {
    readonly None: 0;
    readonly Metadata: 1;
    readonly Request: 2;
    readonly RequestResponse: 3;
};
type AuditLevel = (typeof AuditLevel)[keyof typeof AuditLevel];
interface Authenticated {
    readonly user: UserInfo$2;
    readonly audiences?: readonly string[] | undefined;
    readonly warnings?: readonly string[] | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
}
interface AuthorizationAttributes {
    readonly user: UserInfo$2;
    readonly verb: string;
    readonly isResourceRequest: boolean;
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly subresource: string;
    readonly namespace: string;
    readonly name: string;
    readonly path: string;
    readonly fieldSelector?: readonly FieldRequirement[] | undefined;
    readonly labelSelector?: readonly LabelRequirement[] | undefined;
}
type AuthorizationMode = 'Node' | 'RBAC' | 'ABAC' | 'Webhook' | 'AlwaysAllow' | 'AlwaysDeny';
interface Authorizer {
    readonly name?: string | undefined;
    authorize(attributes: AuthorizationAttributes, origin?: {
        readonly signal?: AbortSignal | undefined;
    }): Decision | undefined | Promise<Decision | undefined>;
    rulesFor?(user: UserInfo$2, namespace: string): UserRules;
}
interface AzureDiskVolumeSource {
    diskName: string;
    diskURI: string;
    cachingMode?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    kind?: string | undefined;
}
interface AzureDiskVolumeSource$1 {
    diskName: string;
    diskURI: string;
    cachingMode?: 'None' | 'ReadOnly' | 'ReadWrite' | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    kind?: 'Dedicated' | 'Managed' | 'Shared' | undefined;
}
interface AzureDiskVolumeSourceApply {
    diskName?: string | undefined;
    diskURI?: string | undefined;
    cachingMode?: 'None' | 'ReadOnly' | 'ReadWrite' | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    kind?: 'Dedicated' | 'Managed' | 'Shared' | undefined;
}
interface AzureFilePersistentVolumeSource {
    secretName: string;
    shareName: string;
    readOnly?: boolean | undefined;
    secretNamespace: string | null;
}
interface AzureFilePersistentVolumeSourceApply {
    secretName?: string | undefined;
    shareName?: string | undefined;
    readOnly?: boolean | undefined;
    secretNamespace?: string | null | undefined;
}
interface AzureFilePersistentVolumeSourceDraft {
    secretName: string;
    shareName: string;
    readOnly?: boolean | undefined;
    secretNamespace?: string | null | undefined;
}
interface AzureFileVolumeSource {
    secretName: string;
    shareName: string;
    readOnly?: boolean | undefined;
}
interface AzureFileVolumeSource$1 {
    secretName: string;
    shareName: string;
    readOnly?: boolean | undefined;
}
interface AzureFileVolumeSourceApply {
    secretName?: string | undefined;
    shareName?: string | undefined;
    readOnly?: boolean | undefined;
}
interface BasicDevice {
    attributes?: Record<string, V1beta1DeviceAttribute> | undefined;
    capacity?: Record<string, V1beta1DeviceCapacity> | undefined;
    consumesCounters?: V1beta1DeviceCounterConsumption[] | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    taints?: V1beta1DeviceTaint[] | undefined;
    bindsToNode?: boolean | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    allowMultipleAllocations?: boolean | undefined;
    nodeAllocatableResources?: Record<string, V1beta1NodeAllocatableResource> | undefined;
}
interface BasicDeviceDraft {
    attributes?: Record<string, V1beta1DeviceAttribute> | undefined;
    capacity?: Record<string, V1beta1DeviceCapacityDraft> | undefined;
    consumesCounters?: V1beta1DeviceCounterConsumptionDraft[] | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    taints?: V1beta1DeviceTaint[] | undefined;
    bindsToNode?: boolean | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    allowMultipleAllocations?: boolean | undefined;
    nodeAllocatableResources?: Record<string, V1beta1NodeAllocatableResourceDraft> | undefined;
}
type BasicSchedulingPolicy = Record<string, never>;
interface Behavior {
    readonly startsAfter?: number | undefined;
    readonly readyAfter?: number | undefined;
    readonly exitsAfter?: number | undefined;
    readonly exitCode?: number | undefined;
    readonly isReady?: boolean | undefined;
    readonly stopsAfter?: number | undefined;
    readonly resizesAfter?: number | undefined;
    readonly pullError?: string | undefined;
    readonly logs?: string | undefined;
    readonly cpuUsage?: string | undefined;
    readonly memoryUsage?: string | undefined;
    readonly exec?: ((command: readonly string[]) => string | CommandOutput | undefined) | undefined;
    readonly serve?: ((request: {
        port: number;
        method: string;
        path: string;
    }) => string | undefined) | undefined;
}
interface Binding {
    kind: 'Binding';
    apiVersion: 'v1';
    metadata: MetadataDraft;
    target: ObjectReference;
}
interface BindingApply {
    kind?: 'Binding' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata?: MetadataDraft | undefined;
    target?: ObjectReferenceApply | undefined;
}
interface BindingDraft {
    kind?: 'Binding' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata?: MetadataDraft | undefined;
    target: ObjectReference;
}
interface BinnacleServer {
    start(): Promise<void>;
    stop(): Promise<void>;
    reload(): Promise<void>;
    readonly url: string;
    kubeconfig(user?: CertificateUser): string;
    kubeconfig(account: ServiceAccountReference): Promise<string>;
    consoleLink(user?: CertificateUser): Promise<string>;
    readonly caCertificate: string;
    readonly faults: Faults;
    readonly recorder: Recorder | undefined;
    client(options?: ClientOptions): KubeClient;
    as(user: string, groups?: readonly string[]): KubeClient;
    apply(source: ManifestSource, options?: ManifestOptions): Promise<UntypedObject[]>;
    inject(request: InjectedRequest): Promise<InjectedResponse>;
    snapshot(): Promise<Snapshot>;
    restore(snapshot: Snapshot): Promise<void>;
    fork(options?: ForkOptions): Promise<BinnacleServer>;
    host(name: string, options?: HostOptions): Promise<BinnacleServer>;
    [Symbol.asyncDispose](): Promise<void>;
}
interface BoundObjectReference {
    kind?: string | undefined;
    apiVersion?: string | undefined;
    name?: string | undefined;
    uid?: string | undefined;
}
interface BuiltinClients {
    'admissionregistration.k8s.io/v1': {
        MutatingAdmissionPolicy: BuiltinTypes<MutatingAdmissionPolicy, MutatingAdmissionPolicyDraft, MutatingAdmissionPolicyApply, NoSubresources>;
        MutatingAdmissionPolicyBinding: BuiltinTypes<MutatingAdmissionPolicyBinding, MutatingAdmissionPolicyBindingDraft, MutatingAdmissionPolicyBindingApply, NoSubresources>;
        MutatingWebhookConfiguration: BuiltinTypes<MutatingWebhookConfiguration, MutatingWebhookConfigurationDraft, MutatingWebhookConfigurationApply, NoSubresources>;
        ValidatingAdmissionPolicy: BuiltinTypes<ValidatingAdmissionPolicy, ValidatingAdmissionPolicyDraft, ValidatingAdmissionPolicyApply, {
            status: SubresourceClient<ValidatingAdmissionPolicy>;
        }>;
        ValidatingAdmissionPolicyBinding: BuiltinTypes<ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBindingDraft, ValidatingAdmissionPolicyBindingApply, NoSubresources>;
        ValidatingWebhookConfiguration: BuiltinTypes<ValidatingWebhookConfiguration, ValidatingWebhookConfigurationDraft, ValidatingWebhookConfigurationApply, NoSubresources>;
    };
    'admissionregistration.k8s.io/v1alpha1': {
        MutatingAdmissionPolicy: BuiltinTypes<V1alpha1MutatingAdmissionPolicy, V1alpha1MutatingAdmissionPolicyDraft, V1alpha1MutatingAdmissionPolicyApply, NoSubresources>;
        MutatingAdmissionPolicyBinding: BuiltinTypes<V1alpha1MutatingAdmissionPolicyBinding, V1alpha1MutatingAdmissionPolicyBindingDraft, V1alpha1MutatingAdmissionPolicyBindingApply, NoSubresources>;
    };
    'admissionregistration.k8s.io/v1beta1': {
        MutatingAdmissionPolicy: BuiltinTypes<V1beta1MutatingAdmissionPolicy, V1beta1MutatingAdmissionPolicyDraft, V1beta1MutatingAdmissionPolicyApply, NoSubresources>;
        MutatingAdmissionPolicyBinding: BuiltinTypes<V1beta1MutatingAdmissionPolicyBinding, V1beta1MutatingAdmissionPolicyBindingDraft, V1beta1MutatingAdmissionPolicyBindingApply, NoSubresources>;
    };
    'apiextensions.k8s.io/v1': {
        CustomResourceDefinition: BuiltinTypes<CustomResourceDefinition, CustomResourceDefinitionDraft, CustomResourceDefinitionApply, {
            status: SubresourceClient<CustomResourceDefinition>;
        }>;
    };
    'apiregistration.k8s.io/v1': {
        APIService: BuiltinTypes<APIService, APIServiceDraft, APIServiceApply, {
            status: SubresourceClient<APIService>;
        }>;
    };
    'apps/v1': {
        ControllerRevision: BuiltinTypes<ControllerRevision, ControllerRevisionDraft, ControllerRevisionApply, NoSubresources>;
        DaemonSet: BuiltinTypes<DaemonSet, DaemonSetDraft, DaemonSetApply, {
            status: SubresourceClient<DaemonSet>;
        }>;
        Deployment: BuiltinTypes<Deployment, DeploymentDraft, DeploymentApply, {
            scale: SubresourceClient<Scale>;
            status: SubresourceClient<Deployment>;
        }>;
        ReplicaSet: BuiltinTypes<ReplicaSet, ReplicaSetDraft, ReplicaSetApply, {
            scale: SubresourceClient<Scale>;
            status: SubresourceClient<ReplicaSet>;
        }>;
        StatefulSet: BuiltinTypes<StatefulSet, StatefulSetDraft, StatefulSetApply, {
            scale: SubresourceClient<Scale>;
            status: SubresourceClient<StatefulSet>;
        }>;
    };
    'authentication.k8s.io/v1': {
        SelfSubjectReview: BuiltinTypes<SelfSubjectReview, SelfSubjectReviewDraft, SelfSubjectReviewApply, NoSubresources>;
        TokenReview: BuiltinTypes<TokenReview, TokenReviewDraft, TokenReviewApply, NoSubresources>;
    };
    'authorization.k8s.io/v1': {
        LocalSubjectAccessReview: BuiltinTypes<LocalSubjectAccessReview, LocalSubjectAccessReviewDraft, LocalSubjectAccessReviewApply, NoSubresources>;
        SelfSubjectAccessReview: BuiltinTypes<SelfSubjectAccessReview, SelfSubjectAccessReviewDraft, SelfSubjectAccessReviewApply, NoSubresources>;
        SelfSubjectRulesReview: BuiltinTypes<SelfSubjectRulesReview, SelfSubjectRulesReviewDraft, SelfSubjectRulesReviewApply, NoSubresources>;
        SubjectAccessReview: BuiltinTypes<SubjectAccessReview, SubjectAccessReviewDraft, SubjectAccessReviewApply, NoSubresources>;
    };
    'autoscaling/v1': {
        HorizontalPodAutoscaler: BuiltinTypes<V1HorizontalPodAutoscaler, V1HorizontalPodAutoscalerDraft, V1HorizontalPodAutoscalerApply, {
            status: SubresourceClient<V1HorizontalPodAutoscaler>;
        }>;
    };
    'autoscaling/v2': {
        HorizontalPodAutoscaler: BuiltinTypes<HorizontalPodAutoscaler, HorizontalPodAutoscalerDraft, HorizontalPodAutoscalerApply, {
            status: SubresourceClient<HorizontalPodAutoscaler>;
        }>;
    };
    'batch/v1': {
        CronJob: BuiltinTypes<CronJob, CronJobDraft, CronJobApply, {
            status: SubresourceClient<CronJob>;
        }>;
        Job: BuiltinTypes<Job, JobDraft, JobApply, {
            status: SubresourceClient<Job>;
        }>;
    };
    'certificates.k8s.io/v1': {
        CertificateSigningRequest: BuiltinTypes<CertificateSigningRequest, CertificateSigningRequestDraft, CertificateSigningRequestApply, {
            approval: SubresourceClient<CertificateSigningRequest>;
            status: SubresourceClient<CertificateSigningRequest>;
        }>;
        ClusterTrustBundle: BuiltinTypes<ClusterTrustBundle, ClusterTrustBundleDraft, ClusterTrustBundleApply, NoSubresources>;
        PodCertificateRequest: BuiltinTypes<PodCertificateRequest, PodCertificateRequestDraft, PodCertificateRequestApply, {
            status: SubresourceClient<PodCertificateRequest>;
        }>;
    };
    'certificates.k8s.io/v1beta1': {
        ClusterTrustBundle: BuiltinTypes<V1beta1ClusterTrustBundle, V1beta1ClusterTrustBundleDraft, V1beta1ClusterTrustBundleApply, NoSubresources>;
        PodCertificateRequest: BuiltinTypes<V1beta1PodCertificateRequest, V1beta1PodCertificateRequestDraft, V1beta1PodCertificateRequestApply, {
            status: SubresourceClient<V1beta1PodCertificateRequest>;
        }>;
    };
    'coordination.k8s.io/v1': {
        Lease: BuiltinTypes<Lease, LeaseDraft, LeaseApply, NoSubresources>;
    };
    'coordination.k8s.io/v1alpha2': {
        LeaseCandidate: BuiltinTypes<V1alpha2LeaseCandidate, V1alpha2LeaseCandidateDraft, V1alpha2LeaseCandidateApply, NoSubresources>;
    };
    'coordination.k8s.io/v1beta1': {
        LeaseCandidate: BuiltinTypes<LeaseCandidate, LeaseCandidateDraft, LeaseCandidateApply, NoSubresources>;
    };
    'discovery.k8s.io/v1': {
        EndpointSlice: BuiltinTypes<EndpointSlice, EndpointSliceDraft, EndpointSliceApply, NoSubresources>;
    };
    'events.k8s.io/v1': {
        Event: BuiltinTypes<V1Event, V1EventDraft, V1EventApply, NoSubresources>;
    };
    'flowcontrol.apiserver.k8s.io/v1': {
        FlowSchema: BuiltinTypes<FlowSchema, FlowSchemaDraft, FlowSchemaApply, {
            status: SubresourceClient<FlowSchema>;
        }>;
        PriorityLevelConfiguration: BuiltinTypes<PriorityLevelConfiguration, PriorityLevelConfigurationDraft, PriorityLevelConfigurationApply, {
            status: SubresourceClient<PriorityLevelConfiguration>;
        }>;
    };
    'internal.apiserver.k8s.io/v1alpha1': {
        StorageVersion: BuiltinTypes<StorageVersion, StorageVersionDraft, StorageVersionApply, {
            status: SubresourceClient<StorageVersion>;
        }>;
    };
    'lifecycle.k8s.io/v1alpha1': {
        Eviction: BuiltinTypes<V1alpha1Eviction, V1alpha1EvictionDraft, V1alpha1EvictionApply, {
            status: SubresourceClient<V1alpha1Eviction>;
        }>;
        EvictionRequest: BuiltinTypes<EvictionRequest, EvictionRequestDraft, EvictionRequestApply, {
            status: SubresourceClient<EvictionRequest>;
        }>;
    };
    'networking.k8s.io/v1': {
        IPAddress: BuiltinTypes<IPAddress, IPAddressDraft, IPAddressApply, NoSubresources>;
        Ingress: BuiltinTypes<Ingress, IngressDraft, IngressApply, {
            status: SubresourceClient<Ingress>;
        }>;
        IngressClass: BuiltinTypes<IngressClass, IngressClassDraft, IngressClassApply, NoSubresources>;
        NetworkPolicy: BuiltinTypes<NetworkPolicy, NetworkPolicyDraft, NetworkPolicyApply, NoSubresources>;
        ServiceCIDR: BuiltinTypes<ServiceCIDR, ServiceCIDRDraft, ServiceCIDRApply, {
            status: SubresourceClient<ServiceCIDR>;
        }>;
    };
    'networking.k8s.io/v1beta1': {
        IPAddress: BuiltinTypes<V1beta1IPAddress, V1beta1IPAddressDraft, V1beta1IPAddressApply, NoSubresources>;
        ServiceCIDR: BuiltinTypes<V1beta1ServiceCIDR, V1beta1ServiceCIDRDraft, V1beta1ServiceCIDRApply, {
            status: SubresourceClient<V1beta1ServiceCIDR>;
        }>;
    };
    'node.k8s.io/v1': {
        RuntimeClass: BuiltinTypes<RuntimeClass, RuntimeClassDraft, RuntimeClassApply, NoSubresources>;
    };
    'policy/v1': {
        PodDisruptionBudget: BuiltinTypes<PodDisruptionBudget, PodDisruptionBudgetDraft, PodDisruptionBudgetApply, {
            status: SubresourceClient<PodDisruptionBudget>;
        }>;
    };
    'rbac.authorization.k8s.io/v1': {
        ClusterRole: BuiltinTypes<ClusterRole, ClusterRoleDraft, ClusterRoleApply, NoSubresources>;
        ClusterRoleBinding: BuiltinTypes<ClusterRoleBinding, ClusterRoleBindingDraft, ClusterRoleBindingApply, NoSubresources>;
        Role: BuiltinTypes<Role, RoleDraft, RoleApply, NoSubresources>;
        RoleBinding: BuiltinTypes<RoleBinding, RoleBindingDraft, RoleBindingApply, NoSubresources>;
    };
    'resource.k8s.io/v1': {
        DeviceClass: BuiltinTypes<DeviceClass, DeviceClassDraft, DeviceClassApply, NoSubresources>;
        DeviceTaintRule: BuiltinTypes<DeviceTaintRule, DeviceTaintRuleDraft, DeviceTaintRuleApply, {
            status: SubresourceClient<DeviceTaintRule>;
        }>;
        ResourceClaim: BuiltinTypes<V1ResourceClaim, V1ResourceClaimDraft, V1ResourceClaimApply, {
            status: SubresourceClient<V1ResourceClaim>;
        }>;
        ResourceClaimTemplate: BuiltinTypes<ResourceClaimTemplate, ResourceClaimTemplateDraft, ResourceClaimTemplateApply, NoSubresources>;
        ResourceSlice: BuiltinTypes<ResourceSlice, ResourceSliceDraft, ResourceSliceApply, NoSubresources>;
    };
    'resource.k8s.io/v1alpha3': {
        DeviceTaintRule: BuiltinTypes<V1alpha3DeviceTaintRule, V1alpha3DeviceTaintRuleDraft, V1alpha3DeviceTaintRuleApply, {
            status: SubresourceClient<V1alpha3DeviceTaintRule>;
        }>;
        ResourcePoolStatusRequest: BuiltinTypes<ResourcePoolStatusRequest, ResourcePoolStatusRequestDraft, ResourcePoolStatusRequestApply, {
            status: SubresourceClient<ResourcePoolStatusRequest>;
        }>;
    };
    'resource.k8s.io/v1beta1': {
        DeviceClass: BuiltinTypes<V1beta1DeviceClass, V1beta1DeviceClassDraft, V1beta1DeviceClassApply, NoSubresources>;
        ResourceClaim: BuiltinTypes<V1beta1ResourceClaim, V1beta1ResourceClaimDraft, V1beta1ResourceClaimApply, {
            status: SubresourceClient<V1beta1ResourceClaim>;
        }>;
        ResourceClaimTemplate: BuiltinTypes<V1beta1ResourceClaimTemplate, V1beta1ResourceClaimTemplateDraft, V1beta1ResourceClaimTemplateApply, NoSubresources>;
        ResourceSlice: BuiltinTypes<V1beta1ResourceSlice, V1beta1ResourceSliceDraft, V1beta1ResourceSliceApply, NoSubresources>;
    };
    'resource.k8s.io/v1beta2': {
        DeviceClass: BuiltinTypes<V1beta2DeviceClass, V1beta2DeviceClassDraft, V1beta2DeviceClassApply, NoSubresources>;
        DeviceTaintRule: BuiltinTypes<V1beta2DeviceTaintRule, V1beta2DeviceTaintRuleDraft, V1beta2DeviceTaintRuleApply, {
            status: SubresourceClient<V1beta2DeviceTaintRule>;
        }>;
        ResourceClaim: BuiltinTypes<V1beta2ResourceClaim, V1beta2ResourceClaimDraft, V1beta2ResourceClaimApply, {
            status: SubresourceClient<V1beta2ResourceClaim>;
        }>;
        ResourceClaimTemplate: BuiltinTypes<V1beta2ResourceClaimTemplate, V1beta2ResourceClaimTemplateDraft, V1beta2ResourceClaimTemplateApply, NoSubresources>;
        ResourceSlice: BuiltinTypes<V1beta2ResourceSlice, V1beta2ResourceSliceDraft, V1beta2ResourceSliceApply, NoSubresources>;
    };
    'scheduling.k8s.io/v1': {
        PriorityClass: BuiltinTypes<PriorityClass, PriorityClassDraft, PriorityClassApply, NoSubresources>;
    };
    'scheduling.k8s.io/v1alpha3': {
        CompositePodGroup: BuiltinTypes<CompositePodGroup, CompositePodGroupDraft, CompositePodGroupApply, {
            status: SubresourceClient<CompositePodGroup>;
        }>;
        PodGroup: BuiltinTypes<V1alpha3PodGroup, V1alpha3PodGroupDraft, V1alpha3PodGroupApply, {
            status: SubresourceClient<V1alpha3PodGroup>;
        }>;
        Workload: BuiltinTypes<V1alpha3Workload, V1alpha3WorkloadDraft, V1alpha3WorkloadApply, NoSubresources>;
    };
    'scheduling.k8s.io/v1beta1': {
        PodGroup: BuiltinTypes<PodGroup, PodGroupDraft, PodGroupApply, {
            status: SubresourceClient<PodGroup>;
        }>;
        Workload: BuiltinTypes<Workload, WorkloadDraft, WorkloadApply, NoSubresources>;
    };
    'storage.k8s.io/v1': {
        CSIDriver: BuiltinTypes<CSIDriver, CSIDriverDraft, CSIDriverApply, NoSubresources>;
        CSINode: BuiltinTypes<CSINode, CSINodeDraft, CSINodeApply, {
            status: SubresourceClient<CSINode>;
        }>;
        CSIStorageCapacity: BuiltinTypes<CSIStorageCapacity, CSIStorageCapacityDraft, CSIStorageCapacityApply, NoSubresources>;
        StorageClass: BuiltinTypes<StorageClass, StorageClassDraft, StorageClassApply, NoSubresources>;
        VolumeAttachment: BuiltinTypes<VolumeAttachment, VolumeAttachmentDraft, VolumeAttachmentApply, {
            status: SubresourceClient<VolumeAttachment>;
        }>;
        VolumeAttributesClass: BuiltinTypes<VolumeAttributesClass, VolumeAttributesClassDraft, VolumeAttributesClassApply, NoSubresources>;
    };
    'storage.k8s.io/v1beta1': {
        VolumeAttributesClass: BuiltinTypes<V1beta1VolumeAttributesClass, V1beta1VolumeAttributesClassDraft, V1beta1VolumeAttributesClassApply, NoSubresources>;
    };
    'storagemigration.k8s.io/v1': {
        StorageVersionMigration: BuiltinTypes<StorageVersionMigration, StorageVersionMigrationDraft, StorageVersionMigrationApply, {
            status: SubresourceClient<StorageVersionMigration>;
        }>;
    };
    'storagemigration.k8s.io/v1beta1': {
        StorageVersionMigration: BuiltinTypes<V1beta1StorageVersionMigration, V1beta1StorageVersionMigrationDraft, V1beta1StorageVersionMigrationApply, {
            status: SubresourceClient<V1beta1StorageVersionMigration>;
        }>;
    };
    'v1': {
        Binding: BuiltinTypes<Binding, BindingDraft, BindingApply, NoSubresources>;
        ComponentStatus: BuiltinTypes<ComponentStatus, ComponentStatusDraft, ComponentStatusApply, NoSubresources>;
        ConfigMap: BuiltinTypes<ConfigMap, ConfigMapDraft, ConfigMapApply, NoSubresources>;
        Endpoints: BuiltinTypes<Endpoints, EndpointsDraft, EndpointsApply, NoSubresources>;
        Event: BuiltinTypes<Event, EventDraft, EventApply, NoSubresources>;
        LimitRange: BuiltinTypes<LimitRange, LimitRangeDraft, LimitRangeApply, NoSubresources>;
        Namespace: BuiltinTypes<Namespace, NamespaceDraft, NamespaceApply, {
            finalize: SubresourceClient<Namespace>;
            status: SubresourceClient<Namespace>;
        }>;
        Node: BuiltinTypes<Node, NodeDraft, NodeApply, {
            status: SubresourceClient<Node>;
        }>;
        PersistentVolume: BuiltinTypes<PersistentVolume, PersistentVolumeDraft, PersistentVolumeApply, {
            status: SubresourceClient<PersistentVolume>;
        }>;
        PersistentVolumeClaim: BuiltinTypes<PersistentVolumeClaim, PersistentVolumeClaimDraft, PersistentVolumeClaimApply, {
            status: SubresourceClient<PersistentVolumeClaim>;
        }>;
        Pod: BuiltinTypes<Pod$1, PodDraft, PodApply, {
            binding: SubresourceClient<Status, BindingDraft>;
            ephemeralcontainers: SubresourceClient<Pod$1>;
            eviction: SubresourceClient<Status, EvictionDraft>;
            log: TextClient;
            resize: SubresourceClient<Pod$1>;
            status: SubresourceClient<Pod$1>;
        }>;
        PodTemplate: BuiltinTypes<PodTemplate, PodTemplateDraft, PodTemplateApply, NoSubresources>;
        ReplicationController: BuiltinTypes<ReplicationController, ReplicationControllerDraft, ReplicationControllerApply, {
            scale: SubresourceClient<Scale>;
            status: SubresourceClient<ReplicationController>;
        }>;
        ResourceQuota: BuiltinTypes<ResourceQuota, ResourceQuotaDraft, ResourceQuotaApply, {
            status: SubresourceClient<ResourceQuota>;
        }>;
        Secret: BuiltinTypes<Secret, SecretDraft, SecretApply, NoSubresources>;
        Service: BuiltinTypes<Service, ServiceDraft, ServiceApply, {
            status: SubresourceClient<Service>;
        }>;
        ServiceAccount: BuiltinTypes<ServiceAccount, ServiceAccountDraft, ServiceAccountApply, {
            token: SubresourceClient<TokenRequest, TokenRequestDraft>;
        }>;
    };
}
interface BuiltinKinds {
    'admissionregistration.k8s.io/v1': {
        MutatingAdmissionPolicy: MutatingAdmissionPolicy;
        MutatingAdmissionPolicyBinding: MutatingAdmissionPolicyBinding;
        MutatingWebhookConfiguration: MutatingWebhookConfiguration;
        ValidatingAdmissionPolicy: ValidatingAdmissionPolicy;
        ValidatingAdmissionPolicyBinding: ValidatingAdmissionPolicyBinding;
        ValidatingWebhookConfiguration: ValidatingWebhookConfiguration;
    };
    'admissionregistration.k8s.io/v1alpha1': {
        MutatingAdmissionPolicy: V1alpha1MutatingAdmissionPolicy;
        MutatingAdmissionPolicyBinding: V1alpha1MutatingAdmissionPolicyBinding;
    };
    'admissionregistration.k8s.io/v1beta1': {
        MutatingAdmissionPolicy: V1beta1MutatingAdmissionPolicy;
        MutatingAdmissionPolicyBinding: V1beta1MutatingAdmissionPolicyBinding;
    };
    'apiextensions.k8s.io/v1': {
        CustomResourceDefinition: CustomResourceDefinition;
    };
    'apiregistration.k8s.io/v1': {
        APIService: APIService;
    };
    'apps/v1': {
        ControllerRevision: ControllerRevision;
        DaemonSet: DaemonSet;
        Deployment: Deployment;
        ReplicaSet: ReplicaSet;
        StatefulSet: StatefulSet;
    };
    'authentication.k8s.io/v1': {
        SelfSubjectReview: SelfSubjectReview;
        TokenReview: TokenReview;
    };
    'authorization.k8s.io/v1': {
        LocalSubjectAccessReview: LocalSubjectAccessReview;
        SelfSubjectAccessReview: SelfSubjectAccessReview;
        SelfSubjectRulesReview: SelfSubjectRulesReview;
        SubjectAccessReview: SubjectAccessReview;
    };
    'autoscaling/v1': {
        HorizontalPodAutoscaler: V1HorizontalPodAutoscaler;
    };
    'autoscaling/v2': {
        HorizontalPodAutoscaler: HorizontalPodAutoscaler;
    };
    'batch/v1': {
        CronJob: CronJob;
        Job: Job;
    };
    'certificates.k8s.io/v1': {
        CertificateSigningRequest: CertificateSigningRequest;
        ClusterTrustBundle: ClusterTrustBundle;
        PodCertificateRequest: PodCertificateRequest;
    };
    'certificates.k8s.io/v1beta1': {
        ClusterTrustBundle: V1beta1ClusterTrustBundle;
        PodCertificateRequest: V1beta1PodCertificateRequest;
    };
    'coordination.k8s.io/v1': {
        Lease: Lease;
    };
    'coordination.k8s.io/v1alpha2': {
        LeaseCandidate: V1alpha2LeaseCandidate;
    };
    'coordination.k8s.io/v1beta1': {
        LeaseCandidate: LeaseCandidate;
    };
    'discovery.k8s.io/v1': {
        EndpointSlice: EndpointSlice;
    };
    'events.k8s.io/v1': {
        Event: V1Event;
    };
    'flowcontrol.apiserver.k8s.io/v1': {
        FlowSchema: FlowSchema;
        PriorityLevelConfiguration: PriorityLevelConfiguration;
    };
    'internal.apiserver.k8s.io/v1alpha1': {
        StorageVersion: StorageVersion;
    };
    'lifecycle.k8s.io/v1alpha1': {
        Eviction: V1alpha1Eviction;
        EvictionRequest: EvictionRequest;
    };
    'networking.k8s.io/v1': {
        IPAddress: IPAddress;
        Ingress: Ingress;
        IngressClass: IngressClass;
        NetworkPolicy: NetworkPolicy;
        ServiceCIDR: ServiceCIDR;
    };
    'networking.k8s.io/v1beta1': {
        IPAddress: V1beta1IPAddress;
        ServiceCIDR: V1beta1ServiceCIDR;
    };
    'node.k8s.io/v1': {
        RuntimeClass: RuntimeClass;
    };
    'policy/v1': {
        PodDisruptionBudget: PodDisruptionBudget;
    };
    'rbac.authorization.k8s.io/v1': {
        ClusterRole: ClusterRole;
        ClusterRoleBinding: ClusterRoleBinding;
        Role: Role;
        RoleBinding: RoleBinding;
    };
    'resource.k8s.io/v1': {
        DeviceClass: DeviceClass;
        DeviceTaintRule: DeviceTaintRule;
        ResourceClaim: V1ResourceClaim;
        ResourceClaimTemplate: ResourceClaimTemplate;
        ResourceSlice: ResourceSlice;
    };
    'resource.k8s.io/v1alpha3': {
        DeviceTaintRule: V1alpha3DeviceTaintRule;
        ResourcePoolStatusRequest: ResourcePoolStatusRequest;
    };
    'resource.k8s.io/v1beta1': {
        DeviceClass: V1beta1DeviceClass;
        ResourceClaim: V1beta1ResourceClaim;
        ResourceClaimTemplate: V1beta1ResourceClaimTemplate;
        ResourceSlice: V1beta1ResourceSlice;
    };
    'resource.k8s.io/v1beta2': {
        DeviceClass: V1beta2DeviceClass;
        DeviceTaintRule: V1beta2DeviceTaintRule;
        ResourceClaim: V1beta2ResourceClaim;
        ResourceClaimTemplate: V1beta2ResourceClaimTemplate;
        ResourceSlice: V1beta2ResourceSlice;
    };
    'scheduling.k8s.io/v1': {
        PriorityClass: PriorityClass;
    };
    'scheduling.k8s.io/v1alpha3': {
        CompositePodGroup: CompositePodGroup;
        PodGroup: V1alpha3PodGroup;
        Workload: V1alpha3Workload;
    };
    'scheduling.k8s.io/v1beta1': {
        PodGroup: PodGroup;
        Workload: Workload;
    };
    'storage.k8s.io/v1': {
        CSIDriver: CSIDriver;
        CSINode: CSINode;
        CSIStorageCapacity: CSIStorageCapacity;
        StorageClass: StorageClass;
        VolumeAttachment: VolumeAttachment;
        VolumeAttributesClass: VolumeAttributesClass;
    };
    'storage.k8s.io/v1beta1': {
        VolumeAttributesClass: V1beta1VolumeAttributesClass;
    };
    'storagemigration.k8s.io/v1': {
        StorageVersionMigration: StorageVersionMigration;
    };
    'storagemigration.k8s.io/v1beta1': {
        StorageVersionMigration: V1beta1StorageVersionMigration;
    };
    'v1': {
        Binding: Binding;
        ComponentStatus: ComponentStatus;
        ConfigMap: ConfigMap;
        Endpoints: Endpoints;
        Event: Event;
        LimitRange: LimitRange;
        Namespace: Namespace;
        Node: Node;
        PersistentVolume: PersistentVolume;
        PersistentVolumeClaim: PersistentVolumeClaim;
        Pod: Pod$1;
        PodTemplate: PodTemplate;
        ReplicationController: ReplicationController;
        ResourceQuota: ResourceQuota;
        Secret: Secret;
        Service: Service;
        ServiceAccount: ServiceAccount;
    };
}
interface BuiltinTypes<T, Create, Apply, Subresources> extends KindTypes<T, Create, Apply, Subresources> {
}
interface CELDeviceSelector {
    expression: string;
}
interface CSIDriver {
    kind: 'CSIDriver';
    apiVersion: 'storage.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: CSIDriverSpec;
}
interface CSIDriverApply {
    kind?: 'CSIDriver' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: CSIDriverSpec | undefined;
}
interface CSIDriverDraft {
    kind?: 'CSIDriver' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: CSIDriverSpec;
}
interface CSIDriverSpec {
    attachRequired?: boolean | undefined;
    podInfoOnMount?: boolean | undefined;
    volumeLifecycleModes?: string[] | undefined;
    storageCapacity?: boolean | undefined;
    fsGroupPolicy?: string | undefined;
    tokenRequests?: V1TokenRequest[] | undefined;
    requiresRepublish?: boolean | undefined;
    seLinuxMount?: boolean | undefined;
    nodeAllocatableUpdatePeriodSeconds?: number | undefined;
    serviceAccountTokenInSecrets?: boolean | undefined;
    preventPodSchedulingIfMissing?: boolean | undefined;
}
interface CSINode {
    kind: 'CSINode';
    apiVersion: 'storage.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: CSINodeSpec;
    status: CSINodeStatus;
}
interface CSINodeApply {
    kind?: 'CSINode' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: CSINodeSpecApply | undefined;
    status?: CSINodeStatus | undefined;
}
interface CSINodeDraft {
    kind?: 'CSINode' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: CSINodeSpecDraft;
    status?: CSINodeStatus | undefined;
}
interface CSINodeDriver {
    name: string;
    nodeID: string;
    topologyKeys: string[] | null;
    allocatable?: VolumeNodeResources | undefined;
}
interface CSINodeDriverApply {
    name: string;
    nodeID?: string | undefined;
    topologyKeys?: string[] | null | undefined;
    allocatable?: VolumeNodeResources | undefined;
}
interface CSINodeDriverDraft {
    name: string;
    nodeID: string;
    topologyKeys?: string[] | null | undefined;
    allocatable?: VolumeNodeResources | undefined;
}
interface CSINodeSpec {
    drivers: CSINodeDriver[];
}
interface CSINodeSpecApply {
    drivers?: CSINodeDriverApply[] | undefined;
}
interface CSINodeSpecDraft {
    drivers: CSINodeDriverDraft[];
}
interface CSINodeStatus {
    storageHealth?: StorageHealth[] | undefined;
}
interface CSIPersistentVolumeSource {
    driver: string;
    volumeHandle: string;
    readOnly?: boolean | undefined;
    fsType?: string | undefined;
    volumeAttributes?: Record<string, string> | undefined;
    controllerPublishSecretRef?: SecretReference | undefined;
    nodeStageSecretRef?: SecretReference | undefined;
    nodePublishSecretRef?: SecretReference | undefined;
    controllerExpandSecretRef?: SecretReference | undefined;
    nodeExpandSecretRef?: SecretReference | undefined;
}
interface CSIPersistentVolumeSourceApply {
    driver?: string | undefined;
    volumeHandle?: string | undefined;
    readOnly?: boolean | undefined;
    fsType?: string | undefined;
    volumeAttributes?: Record<string, string> | undefined;
    controllerPublishSecretRef?: SecretReference | undefined;
    nodeStageSecretRef?: SecretReference | undefined;
    nodePublishSecretRef?: SecretReference | undefined;
    controllerExpandSecretRef?: SecretReference | undefined;
    nodeExpandSecretRef?: SecretReference | undefined;
}
interface CSIStorageCapacity {
    kind: 'CSIStorageCapacity';
    apiVersion: 'storage.k8s.io/v1';
    metadata: NamespacedMetadata;
    nodeTopology?: LabelSelector | undefined;
    storageClassName: string;
    capacity?: string | undefined;
    maximumVolumeSize?: string | undefined;
}
interface CSIStorageCapacityApply {
    kind?: 'CSIStorageCapacity' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    nodeTopology?: LabelSelector | undefined;
    storageClassName?: string | undefined;
    capacity?: number | string | undefined;
    maximumVolumeSize?: number | string | undefined;
}
interface CSIStorageCapacityDraft {
    kind?: 'CSIStorageCapacity' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    nodeTopology?: LabelSelector | undefined;
    storageClassName: string;
    capacity?: number | string | undefined;
    maximumVolumeSize?: number | string | undefined;
}
interface CSIVolumeSource {
    driver: string;
    readOnly?: boolean | undefined;
    fsType?: string | undefined;
    volumeAttributes?: Record<string, string> | undefined;
    nodePublishSecretRef?: LocalObjectReference | undefined;
}
interface CSIVolumeSource$1 {
    driver: string;
    readOnly?: boolean | undefined;
    fsType?: string | undefined;
    volumeAttributes?: Record<string, string> | undefined;
    nodePublishSecretRef?: LocalObjectReference$1 | undefined;
}
interface CSIVolumeSourceApply {
    driver?: string | undefined;
    readOnly?: boolean | undefined;
    fsType?: string | undefined;
    volumeAttributes?: Record<string, string> | undefined;
    nodePublishSecretRef?: LocalObjectReference$1 | undefined;
}
interface Cache {
    of<V extends keyof BuiltinKinds, K extends keyof BuiltinKinds[V] & string>(apiVersion: V, kind: K): CachedObjects<BuiltinKinds[V][K]>;
    of<T extends KubeObject$1>(kind: DeclaredKind<T> | KindRef<T>): CachedObjects<T>;
}
interface CachedKind<T = any> {
    readonly kind: DeclaredKind<T> | KindRef<T>;
    readonly namespaces?: readonly string[] | undefined;
    readonly labelSelector?: string | Readonly<Record<string, string>> | undefined;
    readonly fieldSelector?: string | Readonly<Record<string, string>> | undefined;
    readonly transform?: ((object: T) => T) | undefined;
    readonly indexes?: Readonly<Record<string, (object: T) => readonly string[]>> | undefined;
}
interface CachedObjects<T> {
    get(object: ObjectName): T | undefined;
    list(options?: {
        readonly namespace?: string | undefined;
        readonly labelSelector?: string | Readonly<Record<string, string>> | undefined;
    }): T[];
    by(index: string, key: string): T[];
    learn(object: T): void;
}
interface Caller {
    readonly signal?: AbortSignal | undefined;
    readonly user?: {
        readonly name: string;
    } | undefined;
}
interface Capabilities {
    add?: string[] | undefined;
    drop?: string[] | undefined;
}
interface Capabilities$1 {
    add?: string[] | undefined;
    drop?: string[] | undefined;
}
interface CapacityRequestPolicy {
    default: string | null;
    validValues?: string[] | undefined;
    validRange?: CapacityRequestPolicyRange | undefined;
}
interface CapacityRequestPolicyDraft {
    default?: number | string | null | undefined;
    validValues?: (number | string)[] | undefined;
    validRange?: CapacityRequestPolicyRangeDraft | undefined;
}
interface CapacityRequestPolicyRange {
    min: string;
    max?: string | undefined;
    step?: string | undefined;
}
interface CapacityRequestPolicyRangeDraft {
    min: number | string;
    max?: number | string | undefined;
    step?: number | string | undefined;
}
interface CapacityRequirements {
    requests?: Record<string, string> | undefined;
}
interface CapacityRequirementsDraft {
    requests?: Record<string, number | string> | undefined;
}
interface CephFSPersistentVolumeSource {
    monitors: string[];
    path?: string | undefined;
    user?: string | undefined;
    secretFile?: string | undefined;
    secretRef?: SecretReference | undefined;
    readOnly?: boolean | undefined;
}
interface CephFSPersistentVolumeSourceApply {
    monitors?: string[] | undefined;
    path?: string | undefined;
    user?: string | undefined;
    secretFile?: string | undefined;
    secretRef?: SecretReference | undefined;
    readOnly?: boolean | undefined;
}
interface CephFSVolumeSource {
    monitors: string[] | null;
    path?: string | undefined;
    user?: string | undefined;
    secretFile?: string | undefined;
    secretRef?: LocalObjectReference | undefined;
    readOnly?: boolean | undefined;
}
interface CephFSVolumeSource$1 {
    monitors: string[];
    path?: string | undefined;
    user?: string | undefined;
    secretFile?: string | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    readOnly?: boolean | undefined;
}
interface CephFSVolumeSourceApply {
    monitors?: string[] | undefined;
    path?: string | undefined;
    user?: string | undefined;
    secretFile?: string | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    readOnly?: boolean | undefined;
}
interface CertificateSigningRequest {
    kind: 'CertificateSigningRequest';
    apiVersion: 'certificates.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: CertificateSigningRequestSpec;
    status: CertificateSigningRequestStatus;
}
interface CertificateSigningRequestApply {
    kind?: 'CertificateSigningRequest' | undefined;
    apiVersion?: 'certificates.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: CertificateSigningRequestSpecApply | undefined;
    status?: CertificateSigningRequestStatus | undefined;
}
interface CertificateSigningRequestCondition {
    type: string;
    reason?: string | undefined;
    message?: string | undefined;
    lastUpdateTime: string | null;
    lastTransitionTime: string | null;
    status: string;
}
interface CertificateSigningRequestDraft {
    kind?: 'CertificateSigningRequest' | undefined;
    apiVersion?: 'certificates.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: CertificateSigningRequestSpec;
    status?: CertificateSigningRequestStatus | undefined;
}
interface CertificateSigningRequestSpec {
    request: string;
    username?: string | undefined;
    uid?: string | undefined;
    groups?: string[] | undefined;
    usages?: ('any' | 'cert sign' | 'client auth' | 'code signing' | 'content commitment' | 'crl sign' | 'data encipherment' | 'decipher only' | 'digital signature' | 'email protection' | 'encipher only' | 'ipsec end system' | 'ipsec tunnel' | 'ipsec user' | 'key agreement' | 'key encipherment' | 'microsoft sgc' | 'netscape sgc' | 'ocsp signing' | 's/mime' | 'server auth' | 'signing' | 'timestamping')[] | undefined;
    extra?: Record<string, string[]> | undefined;
    signerName: string;
    expirationSeconds?: number | undefined;
}
interface CertificateSigningRequestSpecApply {
    request?: string | undefined;
    username?: string | undefined;
    uid?: string | undefined;
    groups?: string[] | undefined;
    usages?: ('any' | 'cert sign' | 'client auth' | 'code signing' | 'content commitment' | 'crl sign' | 'data encipherment' | 'decipher only' | 'digital signature' | 'email protection' | 'encipher only' | 'ipsec end system' | 'ipsec tunnel' | 'ipsec user' | 'key agreement' | 'key encipherment' | 'microsoft sgc' | 'netscape sgc' | 'ocsp signing' | 's/mime' | 'server auth' | 'signing' | 'timestamping')[] | undefined;
    extra?: Record<string, string[]> | undefined;
    signerName?: string | undefined;
    expirationSeconds?: number | undefined;
}
interface CertificateSigningRequestStatus {
    conditions?: CertificateSigningRequestCondition[] | undefined;
    certificate?: string | undefined;
}
interface CertificateUser {
    readonly user?: string | undefined;
    readonly groups?: readonly string[] | undefined;
}
interface CinderPersistentVolumeSource {
    volumeID: string;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: SecretReference | undefined;
}
interface CinderPersistentVolumeSourceApply {
    volumeID?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: SecretReference | undefined;
}
interface CinderVolumeSource {
    volumeID: string;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: LocalObjectReference | undefined;
}
interface CinderVolumeSource$1 {
    volumeID: string;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
}
interface CinderVolumeSourceApply {
    volumeID?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
}
interface ClientContext {
    readonly signal?: AbortSignal | undefined;
    readonly written?: ((object: KubeObject) => void) | undefined;
}
interface ClientIPConfig {
    timeoutSeconds?: number | undefined;
}
type ClientOf<Types> = Types extends AnyTypes ? Types extends {
    object: infer T extends KubeObject$1;
} ? ResourceClient<T, Types> : never : never;
interface ClientOptions {
    readonly user?: InjectedRequest['user'];
    readonly fieldManager?: string | undefined;
}
interface Clock {
    now(): number;
    setTimeout(callback: () => void, milliseconds: number): Timer;
    watchWork?(isBusy: () => boolean): () => void;
    readonly walksUntil?: number | undefined;
}
interface ClusterClient extends KubeClient, AsyncDisposable {
    readonly url: string;
    onAnswer(listener: (request: AnsweredRequest) => void): () => void;
    close(): Promise<void>;
}
interface ClusterRole {
    kind: 'ClusterRole';
    apiVersion: 'rbac.authorization.k8s.io/v1';
    metadata: ObjectMetadata;
    rules: PolicyRule$1[] | null;
    aggregationRule?: AggregationRule | undefined;
}
interface ClusterRoleApply {
    kind?: 'ClusterRole' | undefined;
    apiVersion?: 'rbac.authorization.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    rules?: PolicyRule$1[] | null | undefined;
    aggregationRule?: AggregationRule | undefined;
}
interface ClusterRoleBinding {
    kind: 'ClusterRoleBinding';
    apiVersion: 'rbac.authorization.k8s.io/v1';
    metadata: ObjectMetadata;
    subjects?: V1Subject[] | undefined;
    roleRef: RoleRef;
}
interface ClusterRoleBindingApply {
    kind?: 'ClusterRoleBinding' | undefined;
    apiVersion?: 'rbac.authorization.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    subjects?: V1Subject[] | undefined;
    roleRef?: RoleRefApply | undefined;
}
interface ClusterRoleBindingDraft {
    kind?: 'ClusterRoleBinding' | undefined;
    apiVersion?: 'rbac.authorization.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    subjects?: V1Subject[] | undefined;
    roleRef: RoleRefDraft;
}
interface ClusterRoleDraft {
    kind?: 'ClusterRole' | undefined;
    apiVersion?: 'rbac.authorization.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    rules?: PolicyRule$1[] | null | undefined;
    aggregationRule?: AggregationRule | undefined;
}
interface ClusterTrustBundle {
    kind: 'ClusterTrustBundle';
    apiVersion: 'certificates.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: ClusterTrustBundleSpec;
}
interface ClusterTrustBundleApply {
    kind?: 'ClusterTrustBundle' | undefined;
    apiVersion?: 'certificates.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ClusterTrustBundleSpecApply | undefined;
}
interface ClusterTrustBundleDraft {
    kind?: 'ClusterTrustBundle' | undefined;
    apiVersion?: 'certificates.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: ClusterTrustBundleSpec;
}
interface ClusterTrustBundleProjection {
    name?: string | undefined;
    signerName?: string | undefined;
    labelSelector?: LabelSelector$1 | undefined;
    path: string;
    optional?: boolean | undefined;
    user?: number | undefined;
}
interface ClusterTrustBundleProjection$1 {
    name?: string | undefined;
    signerName?: string | undefined;
    labelSelector?: LabelSelector | undefined;
    path: string;
    optional?: boolean | undefined;
    user?: number | undefined;
}
interface ClusterTrustBundleSpec {
    signerName?: string | undefined;
    trustBundle: string;
}
interface ClusterTrustBundleSpecApply {
    signerName?: string | undefined;
    trustBundle?: string | undefined;
}
interface CommandOutput {
    readonly stdout?: string | undefined;
    readonly stderr?: string | undefined;
    readonly exitCode?: number | undefined;
}
type CommitResult = {
    readonly ok: true;
    readonly revision: number;
} | {
    readonly ok: false;
    readonly key: string;
    readonly current: KeyValue | undefined;
};
declare class CompactedError extends Error {
    readonly compactRevision: number;
    constructor(compactRevision: number);
}
interface CompactionOptions {
    readonly compactionInterval?: number | undefined;
    readonly clock?: Clock | undefined;
}
interface ComponentCondition {
    type: string;
    status: string;
    message?: string | undefined;
    error?: string | undefined;
}
interface ComponentConditionDraft {
    type: string;
    status?: string | undefined;
    message?: string | undefined;
    error?: string | undefined;
}
interface ComponentStatus {
    kind: 'ComponentStatus';
    apiVersion: 'v1';
    metadata: MetadataDraft;
    conditions?: ComponentCondition[] | undefined;
}
interface ComponentStatusApply {
    kind?: 'ComponentStatus' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata?: MetadataDraft | undefined;
    conditions?: ComponentConditionDraft[] | undefined;
}
interface ComponentStatusDraft {
    kind?: 'ComponentStatus' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata?: MetadataDraft | undefined;
    conditions?: ComponentConditionDraft[] | undefined;
}
type CompositeBasicSchedulingPolicy = Record<string, never>;
interface CompositeDisruptionMode {
    single?: SingleCompositeDisruptionMode | undefined;
    all?: AllCompositeDisruptionMode | undefined;
}
interface CompositeGangSchedulingPolicy {
    minGroupCount: number;
}
interface CompositeGangSchedulingPolicyApply {
    minGroupCount?: number | undefined;
}
interface CompositePodGroup {
    kind: 'CompositePodGroup';
    apiVersion: 'scheduling.k8s.io/v1alpha3';
    metadata: NamespacedMetadata;
    spec: CompositePodGroupSpec;
    status: CompositePodGroupStatus;
}
interface CompositePodGroupApply {
    kind?: 'CompositePodGroup' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1alpha3' | undefined;
    metadata: AppliedMetadata;
    spec?: CompositePodGroupSpecApply | undefined;
    status?: CompositePodGroupStatus | undefined;
}
interface CompositePodGroupDraft {
    kind?: 'CompositePodGroup' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1alpha3' | undefined;
    metadata: NewMetadata;
    spec: CompositePodGroupSpec;
    status?: CompositePodGroupStatus | undefined;
}
interface CompositePodGroupSchedulingConstraints {
    topology?: TopologyConstraint[] | undefined;
}
interface CompositePodGroupSchedulingPolicy {
    basic?: CompositeBasicSchedulingPolicy | undefined;
    gang?: CompositeGangSchedulingPolicy | undefined;
}
interface CompositePodGroupSchedulingPolicyApply {
    basic?: CompositeBasicSchedulingPolicy | undefined;
    gang?: CompositeGangSchedulingPolicyApply | undefined;
}
interface CompositePodGroupSpec {
    parentCompositePodGroupName?: string | undefined;
    workloadRef: V1alpha3WorkloadReference;
    schedulingPolicy: V1alpha3CompositePodGroupSchedulingPolicy;
    schedulingConstraints?: V1alpha3CompositePodGroupSchedulingConstraints | undefined;
    disruptionMode?: V1alpha3CompositeDisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface CompositePodGroupSpecApply {
    parentCompositePodGroupName?: string | undefined;
    workloadRef?: V1alpha3WorkloadReferenceApply | undefined;
    schedulingPolicy?: V1alpha3CompositePodGroupSchedulingPolicyApply | undefined;
    schedulingConstraints?: V1alpha3CompositePodGroupSchedulingConstraints | undefined;
    disruptionMode?: V1alpha3CompositeDisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface CompositePodGroupStatus {
    conditions?: Condition[] | undefined;
}
interface CompositePodGroupTemplate {
    name: string;
    schedulingPolicy: CompositePodGroupSchedulingPolicy;
    schedulingConstraints?: CompositePodGroupSchedulingConstraints | undefined;
    disruptionMode?: CompositeDisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    podGroupTemplates?: PodGroupTemplate[] | undefined;
    compositePodGroupTemplates?: CompositePodGroupTemplate[] | undefined;
}
interface CompositePodGroupTemplateApply {
    name: string;
    schedulingPolicy?: CompositePodGroupSchedulingPolicyApply | undefined;
    schedulingConstraints?: CompositePodGroupSchedulingConstraints | undefined;
    disruptionMode?: CompositeDisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    podGroupTemplates?: PodGroupTemplateApply[] | undefined;
    compositePodGroupTemplates?: CompositePodGroupTemplateApply[] | undefined;
}
interface CompositePodGroupTemplateDraft {
    name: string;
    schedulingPolicy: CompositePodGroupSchedulingPolicy;
    schedulingConstraints?: CompositePodGroupSchedulingConstraints | undefined;
    disruptionMode?: CompositeDisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    podGroupTemplates?: PodGroupTemplateDraft[] | undefined;
    compositePodGroupTemplates?: CompositePodGroupTemplateDraft[] | undefined;
}
interface Condition {
    type: string;
    status: string;
    observedGeneration?: number | undefined;
    lastTransitionTime: string | null;
    reason: string;
    message: string;
}
interface Condition$1 {
    type: string;
    status: string;
    observedGeneration?: number | undefined;
    lastTransitionTime: string | null;
    reason: string;
    message: string;
}
interface ConfigMap {
    kind: 'ConfigMap';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    data?: Record<string, string> | undefined;
    binaryData?: Record<string, string> | undefined;
    immutable?: boolean | undefined;
}
interface ConfigMapApply {
    kind?: 'ConfigMap' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    data?: Record<string, string> | undefined;
    binaryData?: Record<string, string> | undefined;
    immutable?: boolean | undefined;
}
interface ConfigMapDraft {
    kind?: 'ConfigMap' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    data?: Record<string, string> | undefined;
    binaryData?: Record<string, string> | undefined;
    immutable?: boolean | undefined;
}
interface ConfigMapEnvSource {
    name?: string | undefined;
    optional?: boolean | undefined;
}
interface ConfigMapEnvSource$1 {
    name?: string | undefined;
    optional?: boolean | undefined;
}
interface ConfigMapKeySelector {
    name?: string | undefined;
    key: string;
    optional?: boolean | undefined;
}
interface ConfigMapKeySelector$1 {
    name?: string | undefined;
    key: string;
    optional?: boolean | undefined;
}
interface ConfigMapKeySelectorApply {
    name?: string | undefined;
    key?: string | undefined;
    optional?: boolean | undefined;
}
interface ConfigMapNodeConfigSource {
    namespace: string;
    name: string;
    uid?: string | undefined;
    resourceVersion?: string | undefined;
    kubeletConfigKey: string;
}
interface ConfigMapNodeConfigSourceApply {
    namespace?: string | undefined;
    name?: string | undefined;
    uid?: string | undefined;
    resourceVersion?: string | undefined;
    kubeletConfigKey?: string | undefined;
}
interface ConfigMapProjection {
    name?: string | undefined;
    items?: KeyToPath[] | undefined;
    optional?: boolean | undefined;
}
interface ConfigMapProjection$1 {
    name?: string | undefined;
    items?: KeyToPath$1[] | undefined;
    optional?: boolean | undefined;
}
interface ConfigMapVolumeSource {
    name?: string | undefined;
    items?: KeyToPath[] | undefined;
    defaultMode?: number | undefined;
    optional?: boolean | undefined;
    defaultUser?: number | undefined;
}
interface ConfigMapVolumeSource$1 {
    name?: string | undefined;
    items?: KeyToPath$1[] | undefined;
    defaultMode?: number | undefined;
    optional?: boolean | undefined;
    defaultUser?: number | undefined;
}
interface ConnectOptions extends ClientOptions {
    readonly kubeconfig?: string | undefined;
    readonly context?: string | undefined;
    readonly inCluster?: boolean | undefined;
    readonly url?: string | undefined;
    readonly token?: string | undefined;
    readonly certificate?: {
        readonly cert: string;
        readonly key: string;
    } | undefined;
    readonly ca?: string | undefined;
    readonly insecure?: boolean | undefined;
    readonly proxy?: string | undefined;
    readonly namespace?: string | undefined;
    readonly rateLimit?: {
        readonly qps: number;
        readonly burst: number;
    } | undefined;
    readonly timeout?: number | undefined;
}
declare class ConnectionError extends Error {
    constructor(server: string, cause: Error);
}
interface Container {
    name: string;
    image?: string | undefined;
    command?: string[] | undefined;
    args?: string[] | undefined;
    workingDir?: string | undefined;
    ports?: ContainerPort[] | undefined;
    env?: EnvVar[] | undefined;
    resources: ResourceRequirements;
    volumeMounts?: VolumeMount[] | undefined;
    livenessProbe?: Probe | undefined;
    readinessProbe?: Probe | undefined;
    lifecycle?: Lifecycle | undefined;
    terminationMessagePath?: string | undefined;
    imagePullPolicy?: string | undefined;
    securityContext?: SecurityContext | undefined;
    stdin?: boolean | undefined;
    stdinOnce?: boolean | undefined;
    tty?: boolean | undefined;
    envFrom?: EnvFromSource[] | undefined;
    terminationMessagePolicy?: string | undefined;
    volumeDevices?: VolumeDevice[] | undefined;
    startupProbe?: Probe | undefined;
    resizePolicy?: ContainerResizePolicy[] | undefined;
    restartPolicy?: string | undefined;
    restartPolicyRules?: ContainerRestartRule[] | undefined;
}
interface Container$1 {
    name: string;
    image: string;
    command?: string[] | undefined;
    args?: string[] | undefined;
    workingDir?: string | undefined;
    ports?: ContainerPort$1[] | undefined;
    env?: EnvVar$1[] | undefined;
    resources: ResourceRequirements$1;
    volumeMounts?: VolumeMount$1[] | undefined;
    livenessProbe?: Probe$1 | undefined;
    readinessProbe?: Probe$1 | undefined;
    lifecycle?: Lifecycle$1 | undefined;
    terminationMessagePath: string;
    imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never';
    securityContext?: SecurityContext$1 | undefined;
    stdin?: boolean | undefined;
    stdinOnce?: boolean | undefined;
    tty?: boolean | undefined;
    envFrom?: EnvFromSource$1[] | undefined;
    terminationMessagePolicy: 'FallbackToLogsOnError' | 'File';
    volumeDevices?: VolumeDevice$1[] | undefined;
    startupProbe?: Probe$1 | undefined;
    resizePolicy?: ContainerResizePolicy$1[] | undefined;
    restartPolicy?: string | undefined;
    restartPolicyRules?: ContainerRestartRule$1[] | undefined;
}
interface ContainerApply {
    name: string;
    image?: string | undefined;
    command?: string[] | undefined;
    args?: string[] | undefined;
    workingDir?: string | undefined;
    ports?: ContainerPortDraft[] | undefined;
    env?: EnvVarApply[] | undefined;
    resources?: ResourceRequirementsDraft | undefined;
    volumeMounts?: VolumeMountApply[] | undefined;
    livenessProbe?: ProbeApply | undefined;
    readinessProbe?: ProbeApply | undefined;
    lifecycle?: LifecycleApply | undefined;
    terminationMessagePath?: string | undefined;
    imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
    securityContext?: SecurityContextApply | undefined;
    stdin?: boolean | undefined;
    stdinOnce?: boolean | undefined;
    tty?: boolean | undefined;
    envFrom?: EnvFromSource$1[] | undefined;
    terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File' | undefined;
    volumeDevices?: VolumeDeviceApply[] | undefined;
    startupProbe?: ProbeApply | undefined;
    resizePolicy?: ContainerResizePolicy$1[] | undefined;
    restartPolicy?: string | undefined;
    restartPolicyRules?: ContainerRestartRule$1[] | undefined;
}
interface ContainerDraft {
    name: string;
    image: string;
    command?: string[] | undefined;
    args?: string[] | undefined;
    workingDir?: string | undefined;
    ports?: ContainerPortDraft[] | undefined;
    env?: EnvVarDraft[] | undefined;
    resources?: ResourceRequirementsDraft | undefined;
    volumeMounts?: VolumeMount$1[] | undefined;
    livenessProbe?: ProbeDraft | undefined;
    readinessProbe?: ProbeDraft | undefined;
    lifecycle?: Lifecycle$1 | undefined;
    terminationMessagePath?: string | undefined;
    imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
    securityContext?: SecurityContext$1 | undefined;
    stdin?: boolean | undefined;
    stdinOnce?: boolean | undefined;
    tty?: boolean | undefined;
    envFrom?: EnvFromSource$1[] | undefined;
    terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File' | undefined;
    volumeDevices?: VolumeDevice$1[] | undefined;
    startupProbe?: ProbeDraft | undefined;
    resizePolicy?: ContainerResizePolicy$1[] | undefined;
    restartPolicy?: string | undefined;
    restartPolicyRules?: ContainerRestartRule$1[] | undefined;
}
interface ContainerExtendedResourceRequest {
    containerName: string;
    resourceName: string;
    requestName: string;
}
interface ContainerExtendedResourceRequest$1 {
    containerName: string;
    resourceName: string;
    requestName: string;
}
interface ContainerImage {
    names: string[] | null;
    sizeBytes?: number | undefined;
}
interface ContainerPort {
    name?: string | undefined;
    hostPort?: number | undefined;
    containerPort: number;
    protocol?: string | undefined;
    hostIP?: string | undefined;
}
interface ContainerPort$1 {
    name?: string | undefined;
    hostPort?: number | undefined;
    containerPort: number;
    protocol: 'SCTP' | 'TCP' | 'UDP';
    hostIP?: string | undefined;
}
interface ContainerPortDraft {
    name?: string | undefined;
    hostPort?: number | undefined;
    containerPort: number;
    protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
    hostIP?: string | undefined;
}
interface ContainerResizePolicy {
    resourceName: string;
    restartPolicy: string;
}
interface ContainerResizePolicy$1 {
    resourceName: string;
    restartPolicy: string;
}
interface ContainerResourceMetricSource {
    name: string;
    target: MetricTarget;
    container: string;
}
interface ContainerResourceMetricSourceDraft {
    name: string;
    target: MetricTargetDraft;
    container: string;
}
interface ContainerResourceMetricStatus {
    name: string;
    current: MetricValueStatus;
    container: string;
}
interface ContainerRestartRule {
    action?: string | undefined;
    exitCodes?: ContainerRestartRuleOnExitCodes | undefined;
}
interface ContainerRestartRule$1 {
    action: string;
    exitCodes?: ContainerRestartRuleOnExitCodes$1 | undefined;
}
interface ContainerRestartRuleOnExitCodes {
    operator?: string | undefined;
    values?: number[] | undefined;
}
interface ContainerRestartRuleOnExitCodes$1 {
    operator: string;
    values?: number[] | undefined;
}
interface ContainerState {
    waiting?: ContainerStateWaiting | undefined;
    running?: ContainerStateRunning | undefined;
    terminated?: ContainerStateTerminated | undefined;
}
interface ContainerState$1 {
    waiting?: ContainerStateWaiting$1 | undefined;
    running?: ContainerStateRunning$1 | undefined;
    terminated?: ContainerStateTerminated$1 | undefined;
}
interface ContainerStateRunning {
    startedAt: string | null;
}
interface ContainerStateRunning$1 {
    startedAt: string | null;
}
interface ContainerStateTerminated {
    exitCode: number;
    signal?: number | undefined;
    reason?: string | undefined;
    message?: string | undefined;
    startedAt: string | null;
    finishedAt: string | null;
    containerID?: string | undefined;
}
interface ContainerStateTerminated$1 {
    exitCode: number;
    signal?: number | undefined;
    reason?: string | undefined;
    message?: string | undefined;
    startedAt: string | null;
    finishedAt: string | null;
    containerID?: string | undefined;
}
interface ContainerStateWaiting {
    reason?: string | undefined;
    message?: string | undefined;
}
interface ContainerStateWaiting$1 {
    reason?: string | undefined;
    message?: string | undefined;
}
interface ContainerStatus {
    name: string;
    state: ContainerState;
    lastState: ContainerState;
    ready: boolean;
    restartCount: number;
    image: string;
    imageID: string;
    containerID?: string | undefined;
    started?: boolean | undefined;
    allocatedResources?: Record<string, string> | undefined;
    resources?: ResourceRequirements | undefined;
    volumeMounts?: VolumeMountStatus[] | undefined;
    user?: ContainerUser | undefined;
    allocatedResourcesStatus?: ResourceStatus[] | undefined;
    stopSignal?: string | undefined;
}
interface ContainerStatus$1 {
    name: string;
    state: ContainerState$1;
    lastState: ContainerState$1;
    ready: boolean;
    restartCount: number;
    image: string;
    imageID: string;
    containerID?: string | undefined;
    started?: boolean | undefined;
    allocatedResources?: Record<string, string> | undefined;
    resources?: ResourceRequirements$1 | undefined;
    volumeMounts?: VolumeMountStatus$1[] | undefined;
    user?: ContainerUser$1 | undefined;
    allocatedResourcesStatus?: ResourceStatus$1[] | undefined;
    stopSignal?: 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGRTMAX' | 'SIGRTMAX-1' | 'SIGRTMAX-10' | 'SIGRTMAX-11' | 'SIGRTMAX-12' | 'SIGRTMAX-13' | 'SIGRTMAX-14' | 'SIGRTMAX-2' | 'SIGRTMAX-3' | 'SIGRTMAX-4' | 'SIGRTMAX-5' | 'SIGRTMAX-6' | 'SIGRTMAX-7' | 'SIGRTMAX-8' | 'SIGRTMAX-9' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ' | undefined;
}
interface ContainerUser {
    linux?: LinuxContainerUser | undefined;
}
interface ContainerUser$1 {
    linux?: LinuxContainerUser$1 | undefined;
}
interface ControllerRevision {
    kind: 'ControllerRevision';
    apiVersion: 'apps/v1';
    metadata: NamespacedMetadata;
    data: Record<string, unknown>;
    revision: number;
}
interface ControllerRevisionApply {
    kind?: 'ControllerRevision' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: AppliedMetadata;
    data?: Record<string, unknown> | undefined;
    revision?: number | undefined;
}
interface ControllerRevisionDraft {
    kind?: 'ControllerRevision' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: NewMetadata;
    data: Record<string, unknown>;
    revision?: number | undefined;
}
interface Conversion {
    readonly kind: DeclaredKind;
    readonly hub: string;
    readonly versions: Readonly<Record<string, {
        toHub(object: any): object | Promise<object>;
        fromHub(object: any): object | Promise<object>;
    }>>;
}
interface CopyOptions {
    readonly namespace?: string | undefined;
    readonly container?: string | undefined;
    readonly signal?: AbortSignal | undefined;
}
interface Counter {
    value: string;
}
interface CounterDraft {
    value: number | string;
}
interface CounterSet {
    name: string;
    counters: Record<string, Counter>;
}
interface CounterSetDraft {
    name: string;
    counters: Record<string, CounterDraft>;
}
interface CronJob {
    kind: 'CronJob';
    apiVersion: 'batch/v1';
    metadata: NamespacedMetadata;
    spec: CronJobSpec;
    status: CronJobStatus;
}
interface CronJobApply {
    kind?: 'CronJob' | undefined;
    apiVersion?: 'batch/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: CronJobSpecApply | undefined;
    status?: CronJobStatus | undefined;
}
interface CronJobDraft {
    kind?: 'CronJob' | undefined;
    apiVersion?: 'batch/v1' | undefined;
    metadata: NewMetadata;
    spec: CronJobSpecDraft;
    status?: CronJobStatus | undefined;
}
interface CronJobSpec {
    schedule: string;
    startingDeadlineSeconds?: number | undefined;
    concurrencyPolicy: 'Allow' | 'Forbid' | 'Replace';
    suspend: boolean;
    jobTemplate: JobTemplateSpec;
    successfulJobsHistoryLimit: number;
    failedJobsHistoryLimit: number;
    timeZone?: string | undefined;
}
interface CronJobSpecApply {
    schedule?: string | undefined;
    startingDeadlineSeconds?: number | undefined;
    concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace' | undefined;
    suspend?: boolean | undefined;
    jobTemplate?: JobTemplateSpecApply | undefined;
    successfulJobsHistoryLimit?: number | undefined;
    failedJobsHistoryLimit?: number | undefined;
    timeZone?: string | undefined;
}
interface CronJobSpecDraft {
    schedule: string;
    startingDeadlineSeconds?: number | undefined;
    concurrencyPolicy?: 'Allow' | 'Forbid' | 'Replace' | undefined;
    suspend?: boolean | undefined;
    jobTemplate: JobTemplateSpecDraft;
    successfulJobsHistoryLimit?: number | undefined;
    failedJobsHistoryLimit?: number | undefined;
    timeZone?: string | undefined;
}
interface CronJobStatus {
    active?: ObjectReference[] | undefined;
    lastScheduleTime?: string | undefined;
    lastSuccessfulTime?: string | undefined;
}
interface CrossVersionObjectReference {
    kind: string;
    name: string;
    apiVersion?: string | undefined;
}
interface CrossVersionObjectReferenceApply {
    kind?: string | undefined;
    name?: string | undefined;
    apiVersion?: string | undefined;
}
interface CustomResourceColumnDefinition {
    name: string;
    type: string;
    format?: string | undefined;
    description?: string | undefined;
    priority?: number | undefined;
    jsonPath: string;
}
interface CustomResourceColumnDefinition$1 {
    name: string;
    type: string;
    format?: string | undefined;
    description?: string | undefined;
    priority?: number | undefined;
    jsonPath: string;
}
interface CustomResourceConversion {
    strategy: string;
    webhook?: WebhookConversion | undefined;
}
interface CustomResourceConversionApply {
    strategy?: string | undefined;
    webhook?: WebhookConversionApply | undefined;
}
interface CustomResourceDefinition {
    kind: 'CustomResourceDefinition';
    apiVersion: 'apiextensions.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: CustomResourceDefinitionSpec;
    status: CustomResourceDefinitionStatus;
}
interface CustomResourceDefinitionApply {
    kind?: 'CustomResourceDefinition' | undefined;
    apiVersion?: 'apiextensions.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: CustomResourceDefinitionSpecApply | undefined;
    status?: CustomResourceDefinitionStatus | undefined;
}
interface CustomResourceDefinitionCondition {
    type: string;
    status: string;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
    observedGeneration?: number | undefined;
}
interface CustomResourceDefinitionDraft {
    kind?: 'CustomResourceDefinition' | undefined;
    apiVersion?: 'apiextensions.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: CustomResourceDefinitionSpec;
    status?: CustomResourceDefinitionStatus | undefined;
}
interface CustomResourceDefinitionNames {
    plural: string;
    singular?: string | undefined;
    shortNames?: string[] | undefined;
    kind: string;
    listKind?: string | undefined;
    categories?: string[] | undefined;
}
interface CustomResourceDefinitionNamesApply {
    plural?: string | undefined;
    singular?: string | undefined;
    shortNames?: string[] | undefined;
    kind?: string | undefined;
    listKind?: string | undefined;
    categories?: string[] | undefined;
}
interface CustomResourceDefinitionSpec {
    group: string;
    names: CustomResourceDefinitionNames;
    scope: string;
    versions: CustomResourceDefinitionVersion[];
    conversion?: CustomResourceConversion | undefined;
    preserveUnknownFields?: boolean | undefined;
}
interface CustomResourceDefinitionSpecApply {
    group?: string | undefined;
    names?: CustomResourceDefinitionNamesApply | undefined;
    scope?: string | undefined;
    versions?: CustomResourceDefinitionVersion[] | undefined;
    conversion?: CustomResourceConversionApply | undefined;
    preserveUnknownFields?: boolean | undefined;
}
interface CustomResourceDefinitionStatus {
    conditions: CustomResourceDefinitionCondition[] | null;
    acceptedNames: CustomResourceDefinitionNames;
    storedVersions: string[] | null;
    observedGeneration?: number | undefined;
}
interface CustomResourceDefinitionVersion {
    name: string;
    served: boolean;
    storage: boolean;
    schema?: CustomResourceValidation | undefined;
    subresources?: CustomResourceSubresources | undefined;
    additionalPrinterColumns?: CustomResourceColumnDefinition[] | undefined;
    deprecated?: boolean | undefined;
    deprecationWarning?: string | undefined;
    selectableFields?: SelectableField[] | undefined;
}
interface CustomResourceDefinitionVersion$1 {
    name: string;
    served: boolean;
    storage: boolean;
    schema?: CustomResourceValidation$1 | undefined;
    subresources?: CustomResourceSubresources$1 | undefined;
    additionalPrinterColumns?: CustomResourceColumnDefinition$1[] | undefined;
    deprecated?: boolean | undefined;
    deprecationWarning?: string | undefined;
    selectableFields?: SelectableField$1[] | undefined;
}
interface CustomResourceSubresourceScale {
    specReplicasPath: string;
    statusReplicasPath: string;
    labelSelectorPath?: string | undefined;
}
interface CustomResourceSubresourceScale$1 {
    specReplicasPath: string;
    statusReplicasPath: string;
    labelSelectorPath?: string | undefined;
}
type CustomResourceSubresourceStatus = Record<string, never>;
type CustomResourceSubresourceStatus$1 = Record<string, never>;
interface CustomResourceSubresources {
    status?: CustomResourceSubresourceStatus | undefined;
    scale?: CustomResourceSubresourceScale | undefined;
}
interface CustomResourceSubresources$1 {
    status?: CustomResourceSubresourceStatus$1 | undefined;
    scale?: CustomResourceSubresourceScale$1 | undefined;
}
interface CustomResourceValidation {
    openAPIV3Schema?: JSONSchemaProps | undefined;
}
interface CustomResourceValidation$1 {
    openAPIV3Schema?: JSONSchemaProps$1 | undefined;
}
interface DaemonEndpoint {
    Port: number;
}
interface DaemonSet {
    kind: 'DaemonSet';
    apiVersion: 'apps/v1';
    metadata: NamespacedMetadata;
    spec: DaemonSetSpec;
    status: DaemonSetStatus;
}
interface DaemonSetApply {
    kind?: 'DaemonSet' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: DaemonSetSpecApply | undefined;
    status?: DaemonSetStatus | undefined;
}
interface DaemonSetCondition {
    type: string;
    status: string;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface DaemonSetDraft {
    kind?: 'DaemonSet' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: NewMetadata;
    spec: DaemonSetSpecDraft;
    status?: DaemonSetStatus | undefined;
}
interface DaemonSetSpec {
    selector: LabelSelector;
    template: PodTemplateSpec;
    updateStrategy: DaemonSetUpdateStrategy;
    minReadySeconds?: number | undefined;
    revisionHistoryLimit: number;
}
interface DaemonSetSpecApply {
    selector?: LabelSelector | undefined;
    template?: PodTemplateSpecApply | undefined;
    updateStrategy?: DaemonSetUpdateStrategyDraft | undefined;
    minReadySeconds?: number | undefined;
    revisionHistoryLimit?: number | undefined;
}
interface DaemonSetSpecDraft {
    selector: LabelSelector;
    template: PodTemplateSpecDraft;
    updateStrategy?: DaemonSetUpdateStrategyDraft | undefined;
    minReadySeconds?: number | undefined;
    revisionHistoryLimit?: number | undefined;
}
interface DaemonSetStatus {
    currentNumberScheduled: number;
    numberMisscheduled: number;
    desiredNumberScheduled: number;
    numberReady: number;
    observedGeneration?: number | undefined;
    updatedNumberScheduled?: number | undefined;
    numberAvailable?: number | undefined;
    numberUnavailable?: number | undefined;
    collisionCount?: number | undefined;
    conditions?: DaemonSetCondition[] | undefined;
}
interface DaemonSetUpdateStrategy {
    type: 'OnDelete' | 'RollingUpdate';
    rollingUpdate?: RollingUpdateDaemonSet | undefined;
}
interface DaemonSetUpdateStrategyDraft {
    type?: 'OnDelete' | 'RollingUpdate' | undefined;
    rollingUpdate?: RollingUpdateDaemonSet | undefined;
}
interface Decision {
    readonly allowed: boolean;
    readonly denied?: boolean | undefined;
    readonly reason: string;
    readonly error?: string | undefined;
}
type Declared<T extends KubeObject$1, Versions> = [
    T
] extends [
    never
] ? Versions extends readonly [
    infer First,
    ...unknown[]
] ? OwnKind<ObjectOfVersion<First>, TypesOfVersion<First>> : OwnKind : OwnKind<T>;
interface DeclaredKind<T = any, Types = unknown> {
    readonly group: string;
    readonly kind: string;
    readonly versions: readonly [
        {
            readonly name: string;
        },
        ...{
            readonly name: string;
        }[]
    ];
    readonly object?: T;
    readonly types?: Types;
}
interface DefinitionManifest {
    readonly apiVersion: string;
    readonly kind: 'CustomResourceDefinition';
    readonly metadata: {
        readonly name: string;
    };
    readonly spec: {
        readonly group: string;
        readonly names: {
            readonly plural: string;
            readonly kind: string;
        };
        readonly [field: string]: any;
    };
}
interface DeleteOptions {
    readonly gracePeriodSeconds?: number | undefined;
    readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan' | undefined;
    readonly preconditions?: {
        readonly uid?: string | undefined;
        readonly resourceVersion?: string | undefined;
    } | undefined;
    readonly dryRun?: boolean | undefined;
}
interface DeleteOptions$1 {
    kind?: string | undefined;
    apiVersion?: string | undefined;
    gracePeriodSeconds?: number | undefined;
    preconditions?: Preconditions | undefined;
    orphanDependents?: boolean | undefined;
    propagationPolicy?: string | undefined;
    dryRun?: string[] | undefined;
    ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined;
}
interface Deployment {
    kind: 'Deployment';
    apiVersion: 'apps/v1';
    metadata: NamespacedMetadata;
    spec: DeploymentSpec;
    status: DeploymentStatus;
}
interface DeploymentApply {
    kind?: 'Deployment' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: DeploymentSpecApply | undefined;
    status?: DeploymentStatus | undefined;
}
interface DeploymentCondition {
    type: string;
    status: string;
    reason?: string | undefined;
    message?: string | undefined;
    lastUpdateTime: string | null;
    lastTransitionTime: string | null;
}
interface DeploymentDraft {
    kind?: 'Deployment' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: NewMetadata;
    spec: DeploymentSpecDraft;
    status?: DeploymentStatus | undefined;
}
interface DeploymentSpec {
    replicas: number;
    selector: LabelSelector;
    template: PodTemplateSpec;
    strategy: DeploymentStrategy;
    minReadySeconds?: number | undefined;
    revisionHistoryLimit: number;
    paused?: boolean | undefined;
    progressDeadlineSeconds: number;
}
interface DeploymentSpecApply {
    replicas?: number | undefined;
    selector?: LabelSelector | undefined;
    template?: PodTemplateSpecApply | undefined;
    strategy?: DeploymentStrategyDraft | undefined;
    minReadySeconds?: number | undefined;
    revisionHistoryLimit?: number | undefined;
    paused?: boolean | undefined;
    progressDeadlineSeconds?: number | undefined;
}
interface DeploymentSpecDraft {
    replicas?: number | undefined;
    selector: LabelSelector;
    template: PodTemplateSpecDraft;
    strategy?: DeploymentStrategyDraft | undefined;
    minReadySeconds?: number | undefined;
    revisionHistoryLimit?: number | undefined;
    paused?: boolean | undefined;
    progressDeadlineSeconds?: number | undefined;
}
interface DeploymentStatus {
    observedGeneration?: number | undefined;
    replicas?: number | undefined;
    updatedReplicas?: number | undefined;
    availableReplicas?: number | undefined;
    unavailableReplicas?: number | undefined;
    conditions?: DeploymentCondition[] | undefined;
    readyReplicas?: number | undefined;
    collisionCount?: number | undefined;
    terminatingReplicas?: number | undefined;
}
interface DeploymentStrategy {
    type: 'Recreate' | 'RollingUpdate';
    rollingUpdate?: RollingUpdateDeployment | undefined;
}
interface DeploymentStrategyDraft {
    type?: 'Recreate' | 'RollingUpdate' | undefined;
    rollingUpdate?: RollingUpdateDeployment | undefined;
}
interface Device {
    name: string;
    attributes?: Record<string, DeviceAttribute> | undefined;
    capacity?: Record<string, DeviceCapacity> | undefined;
    consumesCounters?: DeviceCounterConsumption[] | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    taints?: DeviceTaint[] | undefined;
    bindsToNode?: boolean | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    allowMultipleAllocations?: boolean | undefined;
    nodeAllocatableResources?: Record<string, NodeAllocatableResource> | undefined;
}
interface DeviceAllocationConfiguration {
    source: 'FromClaim' | 'FromClass';
    requests?: string[] | undefined;
    opaque?: OpaqueDeviceConfiguration | undefined;
}
interface DeviceAllocationResult {
    results?: DeviceRequestAllocationResult[] | undefined;
    config?: DeviceAllocationConfiguration[] | undefined;
}
interface DeviceAttribute {
    int?: number | undefined;
    bool?: boolean | undefined;
    string?: string | undefined;
    version?: string | undefined;
    ints?: number[] | undefined;
    bools?: boolean[] | undefined;
    strings?: string[] | undefined;
    versions?: string[] | undefined;
}
interface DeviceCapacity {
    value: string;
    requestPolicy?: CapacityRequestPolicy | undefined;
}
interface DeviceCapacityDraft {
    value: number | string;
    requestPolicy?: CapacityRequestPolicyDraft | undefined;
}
interface DeviceClaim {
    requests: DeviceRequest[] | null;
    constraints?: DeviceConstraint[] | undefined;
    config?: DeviceClaimConfiguration[] | undefined;
}
interface DeviceClaimConfiguration {
    requests?: string[] | undefined;
    opaque?: OpaqueDeviceConfiguration | undefined;
}
interface DeviceClaimDraft {
    requests?: DeviceRequestDraft[] | null | undefined;
    constraints?: DeviceConstraint[] | undefined;
    config?: DeviceClaimConfiguration[] | undefined;
}
interface DeviceClass {
    kind: 'DeviceClass';
    apiVersion: 'resource.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: DeviceClassSpec;
}
interface DeviceClassApply {
    kind?: 'DeviceClass' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: DeviceClassSpec | undefined;
}
interface DeviceClassConfiguration {
    opaque?: OpaqueDeviceConfiguration | undefined;
}
interface DeviceClassDraft {
    kind?: 'DeviceClass' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: DeviceClassSpec | undefined;
}
interface DeviceClassSpec {
    selectors?: DeviceSelector[] | undefined;
    config?: DeviceClassConfiguration[] | undefined;
    extendedResourceName?: string | undefined;
}
interface DeviceConstraint {
    requests?: string[] | undefined;
    matchAttribute?: string | undefined;
    distinctAttribute?: string | undefined;
}
interface DeviceCounterConsumption {
    counterSet: string;
    counters: Record<string, Counter>;
    compatibilityGroups?: string[] | undefined;
}
interface DeviceCounterConsumptionDraft {
    counterSet: string;
    counters: Record<string, CounterDraft>;
    compatibilityGroups?: string[] | undefined;
}
interface DeviceDerivedAttribute {
    name: string;
    expression: string;
}
interface DeviceDraft {
    name: string;
    attributes?: Record<string, DeviceAttribute> | undefined;
    capacity?: Record<string, DeviceCapacityDraft> | undefined;
    consumesCounters?: DeviceCounterConsumptionDraft[] | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    taints?: DeviceTaint[] | undefined;
    bindsToNode?: boolean | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    allowMultipleAllocations?: boolean | undefined;
    nodeAllocatableResources?: Record<string, NodeAllocatableResourceDraft> | undefined;
}
interface DeviceRequest {
    name: string;
    exactly?: ExactDeviceRequest | undefined;
    firstAvailable?: DeviceSubRequest[] | undefined;
}
interface DeviceRequestAllocationResult {
    request: string;
    driver: string;
    pool: string;
    device: string;
    adminAccess?: boolean | undefined;
    tolerations?: DeviceToleration[] | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    shareID?: string | undefined;
    consumedCapacity?: Record<string, string> | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface DeviceRequestDraft {
    name: string;
    exactly?: ExactDeviceRequestDraft | undefined;
    firstAvailable?: DeviceSubRequestDraft[] | undefined;
}
interface DeviceSelector {
    cel?: CELDeviceSelector | undefined;
}
interface DeviceSubRequest {
    name: string;
    deviceClassName: string;
    selectors?: DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    tolerations?: DeviceToleration[] | undefined;
    capacity?: CapacityRequirements | undefined;
    derivedAttributes?: DeviceDerivedAttribute[] | undefined;
}
interface DeviceSubRequestDraft {
    name: string;
    deviceClassName: string;
    selectors?: DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    tolerations?: DeviceToleration[] | undefined;
    capacity?: CapacityRequirementsDraft | undefined;
    derivedAttributes?: DeviceDerivedAttribute[] | undefined;
}
interface DeviceTaint {
    key: string;
    value?: string | undefined;
    effect: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
    timeAdded?: string | undefined;
}
interface DeviceTaintApply {
    key?: string | undefined;
    value?: string | undefined;
    effect?: 'NoExecute' | 'NoSchedule' | 'None' | (string & {}) | undefined;
    timeAdded?: string | undefined;
}
interface DeviceTaintRule {
    kind: 'DeviceTaintRule';
    apiVersion: 'resource.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: DeviceTaintRuleSpec;
    status: DeviceTaintRuleStatus;
}
interface DeviceTaintRuleApply {
    kind?: 'DeviceTaintRule' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: DeviceTaintRuleSpecApply | undefined;
    status?: DeviceTaintRuleStatus | undefined;
}
interface DeviceTaintRuleDraft {
    kind?: 'DeviceTaintRule' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: DeviceTaintRuleSpec;
    status?: DeviceTaintRuleStatus | undefined;
}
interface DeviceTaintRuleSpec {
    deviceSelector?: DeviceTaintSelector | undefined;
    taint: DeviceTaint;
}
interface DeviceTaintRuleSpecApply {
    deviceSelector?: DeviceTaintSelector | undefined;
    taint?: DeviceTaintApply | undefined;
}
interface DeviceTaintRuleStatus {
    conditions?: Condition[] | undefined;
}
interface DeviceTaintSelector {
    driver?: string | undefined;
    pool?: string | undefined;
    device?: string | undefined;
}
interface DeviceToleration {
    key?: string | undefined;
    operator?: 'Equal' | 'Exists' | undefined;
    value?: string | undefined;
    effect?: 'NoExecute' | 'NoSchedule' | 'None' | (string & {}) | undefined;
    tolerationSeconds?: number | undefined;
}
interface Directives {
    readonly [directive: `$${string}`]: unknown;
}
interface DisruptionMode {
    single?: SingleDisruptionMode | undefined;
    all?: AllDisruptionMode | undefined;
}
interface DownwardAPIProjection {
    items?: DownwardAPIVolumeFile[] | undefined;
}
interface DownwardAPIProjection$1 {
    items?: DownwardAPIVolumeFile$1[] | undefined;
}
interface DownwardAPIProjectionDraft {
    items?: DownwardAPIVolumeFileDraft[] | undefined;
}
interface DownwardAPIVolumeFile {
    path: string;
    fieldRef?: ObjectFieldSelector | undefined;
    resourceFieldRef?: ResourceFieldSelector | undefined;
    mode?: number | undefined;
    user?: number | undefined;
}
interface DownwardAPIVolumeFile$1 {
    path: string;
    fieldRef?: ObjectFieldSelector$1 | undefined;
    resourceFieldRef?: ResourceFieldSelector$1 | undefined;
    mode?: number | undefined;
    user?: number | undefined;
}
interface DownwardAPIVolumeFileDraft {
    path: string;
    fieldRef?: ObjectFieldSelector$1 | undefined;
    resourceFieldRef?: ResourceFieldSelectorDraft | undefined;
    mode?: number | undefined;
    user?: number | undefined;
}
interface DownwardAPIVolumeSource {
    items?: DownwardAPIVolumeFile[] | undefined;
    defaultMode?: number | undefined;
    defaultUser?: number | undefined;
}
interface DownwardAPIVolumeSource$1 {
    items?: DownwardAPIVolumeFile$1[] | undefined;
    defaultMode?: number | undefined;
    defaultUser?: number | undefined;
}
interface DownwardAPIVolumeSourceDraft {
    items?: DownwardAPIVolumeFileDraft[] | undefined;
    defaultMode?: number | undefined;
    defaultUser?: number | undefined;
}
type Draft<T> = {
    [Field in keyof T]?: DraftValue<T[Field]> | undefined;
};
type DraftValue<T> = T extends readonly (infer Item)[] ? DraftValue<Item>[] : T extends object ? Draft<T> : T;
interface EffectiveVersion {
    readonly emulated: number;
    readonly minCompatibility: number;
}
interface EmptyDirVolumeSource {
    medium?: string | undefined;
    sizeLimit?: string | undefined;
    mode?: number | undefined;
}
interface EmptyDirVolumeSource$1 {
    medium?: string | undefined;
    sizeLimit?: string | undefined;
    mode?: number | undefined;
}
interface EmptyDirVolumeSourceDraft {
    medium?: string | undefined;
    sizeLimit?: number | string | undefined;
    mode?: number | undefined;
}
interface EnabledGates {
    enabled(gate: HonouredGate): boolean;
    readonly version?: EffectiveVersion;
}
interface Endpoint {
    addresses: string[];
    conditions: EndpointConditions;
    hostname?: string | undefined;
    targetRef?: ObjectReference | undefined;
    deprecatedTopology?: Record<string, string> | undefined;
    nodeName?: string | undefined;
    zone?: string | undefined;
    hints?: EndpointHints | undefined;
}
interface EndpointAddress {
    ip: string;
    targetRef?: ObjectReference | undefined;
    hostname?: string | undefined;
    nodeName?: string | undefined;
}
interface EndpointConditions {
    ready?: boolean | undefined;
    serving?: boolean | undefined;
    terminating?: boolean | undefined;
}
interface EndpointDraft {
    addresses: string[];
    conditions?: EndpointConditions | undefined;
    hostname?: string | undefined;
    targetRef?: ObjectReference | undefined;
    deprecatedTopology?: Record<string, string> | undefined;
    nodeName?: string | undefined;
    zone?: string | undefined;
    hints?: EndpointHints | undefined;
}
interface EndpointHints {
    forZones?: ForZone[] | undefined;
    forNodes?: ForNode[] | undefined;
}
interface EndpointOptions {
    readonly port: number;
    readonly host?: string | undefined;
}
interface EndpointPort {
    name?: string | undefined;
    port: number;
    protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
    appProtocol?: string | undefined;
}
interface EndpointSlice {
    kind: 'EndpointSlice';
    apiVersion: 'discovery.k8s.io/v1';
    metadata: NamespacedMetadata;
    endpoints: Endpoint[] | null;
    ports: V1EndpointPort[] | null;
    addressType: 'FQDN' | 'IPv4' | 'IPv6';
}
interface EndpointSliceApply {
    kind?: 'EndpointSlice' | undefined;
    apiVersion?: 'discovery.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    endpoints?: EndpointDraft[] | null | undefined;
    ports?: V1EndpointPort[] | null | undefined;
    addressType?: 'FQDN' | 'IPv4' | 'IPv6' | undefined;
}
interface EndpointSliceDraft {
    kind?: 'EndpointSlice' | undefined;
    apiVersion?: 'discovery.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    endpoints?: EndpointDraft[] | null | undefined;
    ports?: V1EndpointPort[] | null | undefined;
    addressType: 'FQDN' | 'IPv4' | 'IPv6';
}
interface EndpointSubset {
    addresses?: EndpointAddress[] | undefined;
    notReadyAddresses?: EndpointAddress[] | undefined;
    ports?: EndpointPort[] | undefined;
}
interface Endpoints {
    kind: 'Endpoints';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    subsets?: EndpointSubset[] | undefined;
}
interface EndpointsApply {
    kind?: 'Endpoints' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    subsets?: EndpointSubset[] | undefined;
}
interface EndpointsDraft {
    kind?: 'Endpoints' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    subsets?: EndpointSubset[] | undefined;
}
interface EnvFromSource {
    prefix?: string | undefined;
    configMapRef?: ConfigMapEnvSource | undefined;
    secretRef?: SecretEnvSource | undefined;
}
interface EnvFromSource$1 {
    prefix?: string | undefined;
    configMapRef?: ConfigMapEnvSource$1 | undefined;
    secretRef?: SecretEnvSource$1 | undefined;
}
interface EnvVar {
    name: string;
    value?: string | undefined;
    valueFrom?: EnvVarSource | undefined;
}
interface EnvVar$1 {
    name: string;
    value?: string | undefined;
    valueFrom?: EnvVarSource$1 | undefined;
}
interface EnvVarApply {
    name: string;
    value?: string | undefined;
    valueFrom?: EnvVarSourceApply | undefined;
}
interface EnvVarDraft {
    name: string;
    value?: string | undefined;
    valueFrom?: EnvVarSourceDraft | undefined;
}
interface EnvVarSource {
    fieldRef?: ObjectFieldSelector | undefined;
    resourceFieldRef?: ResourceFieldSelector | undefined;
    configMapKeyRef?: ConfigMapKeySelector | undefined;
    secretKeyRef?: SecretKeySelector | undefined;
    fileKeyRef?: FileKeySelector | undefined;
}
interface EnvVarSource$1 {
    fieldRef?: ObjectFieldSelector$1 | undefined;
    resourceFieldRef?: ResourceFieldSelector$1 | undefined;
    configMapKeyRef?: ConfigMapKeySelector$1 | undefined;
    secretKeyRef?: SecretKeySelector$1 | undefined;
    fileKeyRef?: FileKeySelector$1 | undefined;
}
interface EnvVarSourceApply {
    fieldRef?: ObjectFieldSelectorApply | undefined;
    resourceFieldRef?: ResourceFieldSelectorApply | undefined;
    configMapKeyRef?: ConfigMapKeySelectorApply | undefined;
    secretKeyRef?: SecretKeySelectorApply | undefined;
    fileKeyRef?: FileKeySelectorApply | undefined;
}
interface EnvVarSourceDraft {
    fieldRef?: ObjectFieldSelector$1 | undefined;
    resourceFieldRef?: ResourceFieldSelectorDraft | undefined;
    configMapKeyRef?: ConfigMapKeySelector$1 | undefined;
    secretKeyRef?: SecretKeySelector$1 | undefined;
    fileKeyRef?: FileKeySelector$1 | undefined;
}
interface EphemeralContainer {
    name: string;
    image?: string | undefined;
    command?: string[] | undefined;
    args?: string[] | undefined;
    workingDir?: string | undefined;
    ports?: ContainerPort[] | undefined;
    env?: EnvVar[] | undefined;
    resources: ResourceRequirements;
    volumeMounts?: VolumeMount[] | undefined;
    livenessProbe?: Probe | undefined;
    readinessProbe?: Probe | undefined;
    lifecycle?: Lifecycle | undefined;
    terminationMessagePath?: string | undefined;
    imagePullPolicy?: string | undefined;
    securityContext?: SecurityContext | undefined;
    stdin?: boolean | undefined;
    stdinOnce?: boolean | undefined;
    tty?: boolean | undefined;
    envFrom?: EnvFromSource[] | undefined;
    terminationMessagePolicy?: string | undefined;
    volumeDevices?: VolumeDevice[] | undefined;
    startupProbe?: Probe | undefined;
    resizePolicy?: ContainerResizePolicy[] | undefined;
    restartPolicy?: string | undefined;
    restartPolicyRules?: ContainerRestartRule[] | undefined;
    targetContainerName?: string | undefined;
}
interface EphemeralContainer$1 {
    name: string;
    image: string;
    command?: string[] | undefined;
    args?: string[] | undefined;
    workingDir?: string | undefined;
    ports?: ContainerPort$1[] | undefined;
    env?: EnvVar$1[] | undefined;
    resources: ResourceRequirements$1;
    volumeMounts?: VolumeMount$1[] | undefined;
    livenessProbe?: Probe$1 | undefined;
    readinessProbe?: Probe$1 | undefined;
    lifecycle?: Lifecycle$1 | undefined;
    terminationMessagePath: string;
    imagePullPolicy: 'Always' | 'IfNotPresent' | 'Never';
    securityContext?: SecurityContext$1 | undefined;
    stdin?: boolean | undefined;
    stdinOnce?: boolean | undefined;
    tty?: boolean | undefined;
    envFrom?: EnvFromSource$1[] | undefined;
    terminationMessagePolicy: 'FallbackToLogsOnError' | 'File';
    volumeDevices?: VolumeDevice$1[] | undefined;
    startupProbe?: Probe$1 | undefined;
    resizePolicy?: ContainerResizePolicy$1[] | undefined;
    restartPolicy?: string | undefined;
    restartPolicyRules?: ContainerRestartRule$1[] | undefined;
    targetContainerName?: string | undefined;
}
interface EphemeralContainerApply {
    name: string;
    image?: string | undefined;
    command?: string[] | undefined;
    args?: string[] | undefined;
    workingDir?: string | undefined;
    ports?: ContainerPortDraft[] | undefined;
    env?: EnvVarApply[] | undefined;
    resources?: ResourceRequirementsDraft | undefined;
    volumeMounts?: VolumeMountApply[] | undefined;
    livenessProbe?: ProbeApply | undefined;
    readinessProbe?: ProbeApply | undefined;
    lifecycle?: LifecycleApply | undefined;
    terminationMessagePath?: string | undefined;
    imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
    securityContext?: SecurityContextApply | undefined;
    stdin?: boolean | undefined;
    stdinOnce?: boolean | undefined;
    tty?: boolean | undefined;
    envFrom?: EnvFromSource$1[] | undefined;
    terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File' | undefined;
    volumeDevices?: VolumeDeviceApply[] | undefined;
    startupProbe?: ProbeApply | undefined;
    resizePolicy?: ContainerResizePolicy$1[] | undefined;
    restartPolicy?: string | undefined;
    restartPolicyRules?: ContainerRestartRule$1[] | undefined;
    targetContainerName?: string | undefined;
}
interface EphemeralContainerDraft {
    name: string;
    image: string;
    command?: string[] | undefined;
    args?: string[] | undefined;
    workingDir?: string | undefined;
    ports?: ContainerPortDraft[] | undefined;
    env?: EnvVarDraft[] | undefined;
    resources?: ResourceRequirementsDraft | undefined;
    volumeMounts?: VolumeMount$1[] | undefined;
    livenessProbe?: ProbeDraft | undefined;
    readinessProbe?: ProbeDraft | undefined;
    lifecycle?: Lifecycle$1 | undefined;
    terminationMessagePath?: string | undefined;
    imagePullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
    securityContext?: SecurityContext$1 | undefined;
    stdin?: boolean | undefined;
    stdinOnce?: boolean | undefined;
    tty?: boolean | undefined;
    envFrom?: EnvFromSource$1[] | undefined;
    terminationMessagePolicy?: 'FallbackToLogsOnError' | 'File' | undefined;
    volumeDevices?: VolumeDevice$1[] | undefined;
    startupProbe?: ProbeDraft | undefined;
    resizePolicy?: ContainerResizePolicy$1[] | undefined;
    restartPolicy?: string | undefined;
    restartPolicyRules?: ContainerRestartRule$1[] | undefined;
    targetContainerName?: string | undefined;
}
interface EphemeralVolumeSource {
    volumeClaimTemplate?: PersistentVolumeClaimTemplate | undefined;
}
interface EphemeralVolumeSource$1 {
    volumeClaimTemplate?: PersistentVolumeClaimTemplate$1 | undefined;
}
interface EphemeralVolumeSourceApply {
    volumeClaimTemplate?: PersistentVolumeClaimTemplateApply | undefined;
}
interface EphemeralVolumeSourceDraft {
    volumeClaimTemplate?: PersistentVolumeClaimTemplateDraft | undefined;
}
interface Event {
    kind: 'Event';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    involvedObject: ObjectReference;
    reason?: string | undefined;
    message?: string | undefined;
    source: EventSource;
    firstTimestamp: string | null;
    lastTimestamp: string | null;
    count?: number | undefined;
    type?: string | undefined;
    eventTime: string | null;
    series?: EventSeries | undefined;
    action?: string | undefined;
    related?: ObjectReference | undefined;
    reportingComponent: string;
    reportingInstance: string;
}
interface EventApply {
    kind?: 'Event' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    involvedObject?: ObjectReferenceApply | undefined;
    reason?: string | undefined;
    message?: string | undefined;
    source?: EventSource | undefined;
    firstTimestamp?: string | null | undefined;
    lastTimestamp?: string | null | undefined;
    count?: number | undefined;
    type?: string | undefined;
    eventTime?: string | null | undefined;
    series?: EventSeriesDraft | undefined;
    action?: string | undefined;
    related?: ObjectReferenceApply | undefined;
    reportingComponent?: string | undefined;
    reportingInstance?: string | undefined;
}
interface EventDraft {
    kind?: 'Event' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    involvedObject: ObjectReference;
    reason?: string | undefined;
    message?: string | undefined;
    source?: EventSource | undefined;
    firstTimestamp?: string | null | undefined;
    lastTimestamp?: string | null | undefined;
    count?: number | undefined;
    type?: string | undefined;
    eventTime?: string | null | undefined;
    series?: EventSeriesDraft | undefined;
    action?: string | undefined;
    related?: ObjectReference | undefined;
    reportingComponent?: string | undefined;
    reportingInstance?: string | undefined;
}
interface EventSeries {
    count?: number | undefined;
    lastObservedTime: string | null;
}
interface EventSeriesDraft {
    count?: number | undefined;
    lastObservedTime?: string | null | undefined;
}
interface EventSource {
    component?: string | undefined;
    host?: string | undefined;
}
interface EvictionDraft {
    kind?: string | undefined;
    apiVersion?: string | undefined;
    metadata?: MetadataDraft | undefined;
    deleteOptions?: DeleteOptions$1 | undefined;
}
interface EvictionPodReference {
    name: string;
    uid: string;
}
interface EvictionPodReferenceApply {
    name?: string | undefined;
    uid?: string | undefined;
}
interface EvictionRequest {
    kind: 'EvictionRequest';
    apiVersion: 'lifecycle.k8s.io/v1alpha1';
    metadata: NamespacedMetadata;
    spec: EvictionRequestSpec;
    status: EvictionRequestStatus;
}
interface EvictionRequestApply {
    kind?: 'EvictionRequest' | undefined;
    apiVersion?: 'lifecycle.k8s.io/v1alpha1' | undefined;
    metadata: AppliedMetadata;
    spec?: EvictionRequestSpecApply | undefined;
    status?: EvictionRequestStatus | undefined;
}
interface EvictionRequestDraft {
    kind?: 'EvictionRequest' | undefined;
    apiVersion?: 'lifecycle.k8s.io/v1alpha1' | undefined;
    metadata: NewMetadata;
    spec: EvictionRequestSpec;
    status?: EvictionRequestStatus | undefined;
}
interface EvictionRequestPodReference {
    name: string;
    uid: string;
}
interface EvictionRequestPodReferenceApply {
    name?: string | undefined;
    uid?: string | undefined;
}
interface EvictionRequestSpec {
    target: EvictionRequestTarget;
    requester: string;
    intent: 'Eviction' | 'Withdrawn';
}
interface EvictionRequestSpecApply {
    target?: EvictionRequestTargetApply | undefined;
    requester?: string | undefined;
    intent?: 'Eviction' | 'Withdrawn' | undefined;
}
interface EvictionRequestStatus {
    conditions?: Condition[] | undefined;
    observedGeneration?: number | undefined;
}
interface EvictionRequestTarget {
    pod?: EvictionRequestPodReference | undefined;
}
interface EvictionRequestTargetApply {
    pod?: EvictionRequestPodReferenceApply | undefined;
}
interface EvictionResponder {
    name: string;
    priority?: number | undefined;
}
interface EvictionResponder$1 {
    name: string;
    priority: number;
}
interface EvictionResponderApply {
    name: string;
    priority?: number | undefined;
}
interface EvictionSpec {
    target: EvictionTarget;
}
interface EvictionSpecApply {
    target?: EvictionTargetApply | undefined;
}
interface EvictionStatus {
    conditions?: Condition[] | undefined;
    observedGeneration?: number | undefined;
    requesters?: Requester[] | undefined;
    targetResponders?: TargetResponder[] | undefined;
    responders?: ResponderStatus[] | undefined;
}
interface EvictionTarget {
    pod?: EvictionPodReference | undefined;
}
interface EvictionTargetApply {
    pod?: EvictionPodReferenceApply | undefined;
}
interface ExactDeviceRequest {
    deviceClassName: string;
    selectors?: DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    adminAccess?: boolean | undefined;
    tolerations?: DeviceToleration[] | undefined;
    capacity?: CapacityRequirements | undefined;
    derivedAttributes?: DeviceDerivedAttribute[] | undefined;
}
interface ExactDeviceRequestDraft {
    deviceClassName: string;
    selectors?: DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    adminAccess?: boolean | undefined;
    tolerations?: DeviceToleration[] | undefined;
    capacity?: CapacityRequirementsDraft | undefined;
    derivedAttributes?: DeviceDerivedAttribute[] | undefined;
}
interface ExecAction {
    command?: string[] | undefined;
}
interface ExecAction$1 {
    command?: string[] | undefined;
}
interface ExecOptions extends AttachOptions {
    readonly command: readonly string[];
}
interface ExecResult {
    readonly exitCode: number;
    readonly stdout: string;
    readonly stderr: string;
}
interface ExemptPriorityLevelConfiguration {
    nominalConcurrencyShares?: number | undefined;
    lendablePercent?: number | undefined;
}
interface ExpressionCost {
    readonly expression: string;
    readonly cost: number;
    readonly nodes: readonly NodeCost[];
}
interface ExpressionWarning {
    fieldRef: string;
    warning: string;
}
interface ExternalDocumentation {
    description?: string | undefined;
    url?: string | undefined;
}
interface ExternalDocumentation$1 {
    description?: string | undefined;
    url?: string | undefined;
}
interface ExternalMetricSource {
    metric: MetricIdentifier;
    target: MetricTarget;
}
interface ExternalMetricSourceDraft {
    metric: MetricIdentifier;
    target: MetricTargetDraft;
}
interface ExternalMetricStatus {
    metric: MetricIdentifier;
    current: MetricValueStatus;
}
interface FCVolumeSource {
    targetWWNs?: string[] | undefined;
    lun?: number | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    wwids?: string[] | undefined;
}
interface FCVolumeSource$1 {
    targetWWNs?: string[] | undefined;
    lun?: number | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    wwids?: string[] | undefined;
}
interface Fault {
    readonly hits: readonly FaultHit[];
    readonly count: number;
    readonly done: Promise<void>;
    remove(): void;
}
interface FaultHit {
    readonly time: number;
    readonly user: string;
    readonly verb: string;
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
    readonly action: string;
}
interface FaultRule {
    readonly verb?: string | readonly string[] | undefined;
    readonly resource?: string | readonly string[] | undefined;
    readonly path?: string | undefined;
    readonly name?: string | undefined;
    readonly namespace?: string | undefined;
    readonly user?: string | undefined;
    readonly userAgent?: string | undefined;
    readonly after?: number | undefined;
    readonly times?: number | undefined;
    readonly probability?: number | undefined;
    readonly seed?: number | undefined;
    readonly random?: (() => number) | undefined;
    readonly delay?: number | undefined;
    readonly status?: number | Status$1 | StatusError | undefined;
    readonly reset?: true | undefined;
    readonly cutAfter?: number | undefined;
    readonly watch?: WatchFault | undefined;
    readonly storage?: 'timeout' | 'lostAnswer' | 'noQuorum' | undefined;
    readonly webhook?: string | undefined;
    readonly error?: 'refused' | 'timeout' | number | undefined;
}
interface Faults {
    add(rule: FaultRule): Fault;
    clear(): void;
}
interface FieldError {
    readonly reason: FieldErrorReason;
    readonly field: string;
    readonly message: string;
}
type FieldErrorReason = 'FieldValueRequired' | 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueNotSupported' | 'FieldValueDuplicate' | 'FieldValueNotFound' | 'FieldValueTooLong' | 'FieldValueTooMany' | 'FieldValueTypeInvalid' | 'InternalError';
declare class FieldErrors {
    #private;
    readonly list: FieldError[];
    readonly allowPrivileged: boolean;
    floats: WholeFloats | undefined;
    constructor(features?: EnabledGates, allowPrivileged?: boolean);
    enabled(gate: HonouredGate): boolean;
    get minCompatibility(): number;
    get any(): boolean;
    only(rule: () => void): void;
    distinct(rules: (errors: FieldErrors) => void): void;
    collect(validate: () => undefined | Promise<void>): undefined | Promise<void>;
    collect(validate: () => void): void;
    addAll(errors: Iterable<FieldError>): void;
    keepDistinct(): void;
    drop(isCovered: (error: FieldError) => boolean): void;
    add(error: FieldError): void;
    required(path: Path | string, detail?: string): void;
    invalid(path: Path | string, value: unknown, detail?: string): void;
    typeInvalid(path: Path | string, value: unknown, detail?: string): void;
    forbidden(path: Path | string, detail?: string): void;
    notSupported(path: Path | string, value: unknown, supported: readonly string[]): void;
    duplicate(path: Path | string, value: unknown, detail?: string): void;
    notFound(path: Path | string, value: unknown, detail?: string): void;
    tooLong(path: Path | string, max: number): void;
    tooManyCharacters(path: Path | string, max: number): void;
    tooMany(path: Path | string, actual: number, max: number): void;
    internal(path: Path | string, detail: string): void;
}
interface FieldRequirement {
    readonly field: string;
    readonly operator: '=' | '!=';
    readonly value: string;
}
interface FieldSelectorAttributes {
    rawSelector?: string | undefined;
    requirements?: FieldSelectorRequirement[] | undefined;
}
interface FieldSelectorRequirement {
    key: string;
    operator: string;
    values?: string[] | undefined;
}
type Fields<P, S, F extends Form, Without = never> = Flat<{
    -readonly [K in Exclude<Present<P, S, F>, Without> & keyof P]: FromSchema<P[K], F>;
} & {
    -readonly [K in Exclude<keyof P, Present<P, S, F> | Without>]?: FromSchema<P[K], F> | undefined;
}>;
type FieldsBySchema<S, F extends Form> = S extends StandardSchema<infer Input, infer Output> ? Omit<F extends 'answer' ? Output : Input, Own> : S extends TypedJsonSchema<infer Static> ? Omit<Static, Own> : S extends {
    readonly type: infer Type;
} ? string extends Type ? any : S extends {
    readonly properties: infer P;
} ? Fields<P, S, F, Own> & Unknown<S> : {
    [field: string]: any;
} : any;
interface FileKeySelector {
    volumeName: string;
    path: string;
    key: string;
    optional?: boolean | undefined;
}
interface FileKeySelector$1 {
    volumeName: string;
    path: string;
    key: string;
    optional?: boolean | undefined;
}
interface FileKeySelectorApply {
    volumeName?: string | undefined;
    path?: string | undefined;
    key?: string | undefined;
    optional?: boolean | undefined;
}
interface FlagOptions {
    readonly dataDir?: string | undefined;
    readonly storageBackend?: 'lmdb' | 'memory' | 'etcd3' | undefined;
    readonly snapshot?: string | undefined;
    readonly etcdServers?: readonly string[] | undefined;
    readonly etcdServersOverrides?: readonly string[] | undefined;
    readonly etcdPrefix?: string | undefined;
    readonly etcdCAFile?: string | undefined;
    readonly etcdCertFile?: string | undefined;
    readonly etcdKeyFile?: string | undefined;
    readonly etcdCompactionInterval?: number | undefined;
    readonly leaseReuseDurationSeconds?: number | undefined;
    readonly history?: number | undefined;
    readonly historySize?: number | undefined;
    readonly backupSchedule?: string | undefined;
    readonly backupFolder?: string | undefined;
    readonly backupBucket?: string | undefined;
    readonly backupKeep?: number | undefined;
    readonly etcdHealthcheckTimeout?: number | undefined;
    readonly etcdReadycheckTimeout?: number | undefined;
    readonly encryptionProviderConfig?: string | undefined;
    readonly encryptionProviderConfigAutomaticReload?: boolean | undefined;
    readonly console?: 'loopback' | 'always' | 'never' | undefined;
    readonly bindAddress?: string | undefined;
    readonly securePort?: number | undefined;
    readonly permitPortSharing?: boolean | undefined;
    readonly certDir?: string | undefined;
    readonly tlsCertFile?: string | undefined;
    readonly disableHttp2Serving?: boolean | undefined;
    readonly http2MaxStreamsPerConnection?: number | undefined;
    readonly tlsMinVersion?: string | undefined;
    readonly tlsCipherSuites?: readonly string[] | undefined;
    readonly tlsCurvePreferences?: readonly number[] | undefined;
    readonly tlsPrivateKeyFile?: string | undefined;
    readonly tlsSniCertKey?: readonly string[] | undefined;
    readonly auditPolicyFile?: string | undefined;
    readonly auditLogPath?: string | undefined;
    readonly auditLogFormat?: string | undefined;
    readonly auditLogMaxSize?: number | undefined;
    readonly auditLogMaxAge?: number | undefined;
    readonly auditLogMaxBackup?: number | undefined;
    readonly auditLogCompress?: boolean | undefined;
    readonly auditLogMode?: string | undefined;
    readonly auditLogBatchBufferSize?: number | undefined;
    readonly auditLogBatchMaxSize?: number | undefined;
    readonly auditLogBatchMaxWait?: number | undefined;
    readonly auditLogBatchThrottleEnable?: boolean | undefined;
    readonly auditLogBatchThrottleQPS?: number | undefined;
    readonly auditLogBatchThrottleBurst?: number | undefined;
    readonly auditLogTruncateEnabled?: boolean | undefined;
    readonly auditLogTruncateMaxEventSize?: number | undefined;
    readonly auditLogTruncateMaxBatchSize?: number | undefined;
    readonly auditLogVersion?: string | undefined;
    readonly auditWebhookConfigFile?: string | undefined;
    readonly auditWebhookInitialBackoff?: number | undefined;
    readonly auditWebhookMode?: string | undefined;
    readonly auditWebhookBatchBufferSize?: number | undefined;
    readonly auditWebhookBatchMaxSize?: number | undefined;
    readonly auditWebhookBatchMaxWait?: number | undefined;
    readonly auditWebhookBatchThrottleEnable?: boolean | undefined;
    readonly auditWebhookBatchThrottleQPS?: number | undefined;
    readonly auditWebhookBatchThrottleBurst?: number | undefined;
    readonly auditWebhookTruncateEnabled?: boolean | undefined;
    readonly auditWebhookTruncateMaxEventSize?: number | undefined;
    readonly auditWebhookTruncateMaxBatchSize?: number | undefined;
    readonly auditWebhookVersion?: string | undefined;
    readonly authenticationConfig?: string | undefined;
    readonly anonymousAuth?: boolean | undefined;
    readonly enableBootstrapTokenAuth?: boolean | undefined;
    readonly clientCAFile?: string | undefined;
    readonly oidcIssuerURL?: string | undefined;
    readonly oidcClientID?: string | undefined;
    readonly oidcCAFile?: string | undefined;
    readonly oidcUsernameClaim?: string | undefined;
    readonly oidcUsernamePrefix?: string | undefined;
    readonly oidcGroupsClaim?: string | undefined;
    readonly oidcGroupsPrefix?: string | undefined;
    readonly oidcRequiredClaim?: Readonly<Record<string, string>> | undefined;
    readonly oidcSigningAlgs?: readonly string[] | undefined;
    readonly apiAudiences?: readonly string[] | undefined;
    readonly authenticationTokenWebhookConfigFile?: string | undefined;
    readonly authenticationTokenWebhookVersion?: 'v1' | 'v1beta1' | undefined;
    readonly authenticationTokenWebhookCacheTTL?: number | undefined;
    readonly requestheaderClientCAFile?: string | undefined;
    readonly requestheaderAllowedNames?: readonly string[] | undefined;
    readonly requestheaderUsernameHeaders?: readonly string[] | undefined;
    readonly requestheaderUidHeaders?: readonly string[] | undefined;
    readonly requestheaderGroupHeaders?: readonly string[] | undefined;
    readonly requestheaderExtraHeadersPrefix?: readonly string[] | undefined;
    readonly serviceAccountExtendTokenExpiration?: boolean | undefined;
    readonly serviceAccountJwksUri?: string | undefined;
    readonly serviceAccountLookup?: boolean | undefined;
    readonly serviceAccountMaxTokenExpiration?: number | undefined;
    readonly serviceAccountIssuer?: readonly string[] | undefined;
    readonly serviceAccountKeyFiles?: readonly string[] | undefined;
    readonly tokenAuthFile?: string | undefined;
    readonly authorizationMode?: readonly AuthorizationMode[] | undefined;
    readonly authorizationConfig?: string | undefined;
    readonly authorizationPolicyFile?: string | undefined;
    readonly authorizationWebhookConfigFile?: string | undefined;
    readonly authorizationWebhookVersion?: string | undefined;
    readonly authorizationWebhookCacheAuthorizedTTL?: number | undefined;
    readonly authorizationWebhookCacheUnauthorizedTTL?: number | undefined;
    readonly enableAdmissionPlugins?: readonly string[] | undefined;
    readonly disableAdmissionPlugins?: readonly string[] | undefined;
    readonly admissionControlConfigFile?: string | undefined;
    readonly defaultNotReadyTolerationSeconds?: number | undefined;
    readonly defaultUnreachableTolerationSeconds?: number | undefined;
    readonly apiGroups?: readonly string[] | undefined;
    readonly runtimeConfig?: Readonly<Record<string, boolean>> | undefined;
    readonly resolveService?: Readonly<Record<string, string>> | undefined;
    readonly proxyClientCertFile?: string | undefined;
    readonly proxyClientKeyFile?: string | undefined;
    readonly enableAggregatorRouting?: boolean | undefined;
    readonly aggregatorRejectForwardingRedirect?: boolean | undefined;
    readonly controllers?: readonly string[] | undefined;
    readonly testApi?: boolean | undefined;
    readonly advertiseAddress?: string | undefined;
    readonly externalHostname?: string | undefined;
    readonly maxRequestsInflight?: number | undefined;
    readonly maxMutatingRequestsInflight?: number | undefined;
    readonly enablePriorityAndFairness?: boolean | undefined;
    readonly corsAllowedOrigins?: readonly string[] | undefined;
    readonly goawayChance?: number | undefined;
    readonly shutdownDelayDuration?: number | undefined;
    readonly shutdownSendRetryAfter?: boolean | undefined;
    readonly shutdownWatchTerminationGracePeriod?: number | undefined;
    readonly livezGracePeriod?: number | undefined;
    readonly minRequestTimeout?: number | undefined;
    readonly strictTransportSecurityDirectives?: readonly string[] | undefined;
    readonly requestTimeout?: number | undefined;
    readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
    readonly emulatedVersion?: readonly string[] | undefined;
    readonly minCompatibilityVersion?: readonly string[] | undefined;
    readonly emulationForwardCompatible?: boolean | undefined;
    readonly runtimeConfigEmulationForwardCompatible?: boolean | undefined;
    readonly allowPrivileged?: boolean | undefined;
    readonly enableGarbageCollector?: boolean | undefined;
    readonly endpointReconcilerType?: 'lease' | 'master-count' | 'none' | undefined;
    readonly kubernetesServiceNodePort?: number | undefined;
    readonly peerCAFile?: string | undefined;
    readonly peerAdvertiseIP?: string | undefined;
    readonly peerAdvertisePort?: string | undefined;
    readonly coordinatedLeadershipLeaseDuration?: number | undefined;
    readonly coordinatedLeadershipRenewDeadline?: number | undefined;
    readonly coordinatedLeadershipRetryPeriod?: number | undefined;
    readonly eventTtl?: number | undefined;
    readonly serviceAccountSigningEndpoint?: string | undefined;
    readonly serviceAccountSigningKeyFile?: string | undefined;
    readonly serviceClusterIPRange?: string | undefined;
    readonly serviceNodePortRange?: string | undefined;
    readonly apiserverCount?: number | undefined;
    readonly kubeletCertificateAuthority?: string | undefined;
    readonly kubeletClientCertificate?: string | undefined;
    readonly kubeletClientKey?: string | undefined;
    readonly kubeletPreferredAddressTypes?: readonly string[] | undefined;
    readonly egressSelectorConfigFile?: string | undefined;
    readonly maxConnectionBytesPerSec?: number | undefined;
    readonly allowMetricLabels?: Readonly<Record<string, string>> | undefined;
    readonly allowMetricLabelsManifest?: string | undefined;
    readonly disabledMetrics?: readonly string[] | undefined;
    readonly showHiddenMetricsForVersion?: string | undefined;
    readonly tracingConfigFile?: string | undefined;
    readonly profiling?: boolean | undefined;
    readonly debugSocketPath?: string | undefined;
    readonly v?: number | undefined;
    readonly loggingFormat?: 'text' | 'json' | undefined;
    readonly logTextSplitStream?: boolean | undefined;
    readonly logJsonSplitStream?: boolean | undefined;
}
type Flat<T> = {
    [K in keyof T]: T[K];
};
interface FlexPersistentVolumeSource {
    driver: string;
    fsType?: string | undefined;
    secretRef?: SecretReference | undefined;
    readOnly?: boolean | undefined;
    options?: Record<string, string> | undefined;
}
interface FlexPersistentVolumeSourceApply {
    driver?: string | undefined;
    fsType?: string | undefined;
    secretRef?: SecretReference | undefined;
    readOnly?: boolean | undefined;
    options?: Record<string, string> | undefined;
}
interface FlexVolumeSource {
    driver: string;
    fsType?: string | undefined;
    secretRef?: LocalObjectReference | undefined;
    readOnly?: boolean | undefined;
    options?: Record<string, string> | undefined;
}
interface FlexVolumeSource$1 {
    driver: string;
    fsType?: string | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    readOnly?: boolean | undefined;
    options?: Record<string, string> | undefined;
}
interface FlexVolumeSourceApply {
    driver?: string | undefined;
    fsType?: string | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    readOnly?: boolean | undefined;
    options?: Record<string, string> | undefined;
}
interface FlockerVolumeSource {
    datasetName?: string | undefined;
    datasetUUID?: string | undefined;
}
interface FlockerVolumeSource$1 {
    datasetName?: string | undefined;
    datasetUUID?: string | undefined;
}
interface FlowDistinguisherMethod {
    type: string;
}
interface FlowDistinguisherMethodApply {
    type?: string | undefined;
}
interface FlowSchema {
    kind: 'FlowSchema';
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: FlowSchemaSpec;
    status: FlowSchemaStatus;
}
interface FlowSchemaApply {
    kind?: 'FlowSchema' | undefined;
    apiVersion?: 'flowcontrol.apiserver.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: FlowSchemaSpecApply | undefined;
    status?: FlowSchemaStatus | undefined;
}
interface FlowSchemaCondition {
    type: string;
    status?: string | undefined;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface FlowSchemaDraft {
    kind?: 'FlowSchema' | undefined;
    apiVersion?: 'flowcontrol.apiserver.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: FlowSchemaSpecDraft;
    status?: FlowSchemaStatus | undefined;
}
interface FlowSchemaSpec {
    priorityLevelConfiguration: PriorityLevelConfigurationReference;
    matchingPrecedence: number;
    distinguisherMethod?: FlowDistinguisherMethod | undefined;
    rules?: PolicyRulesWithSubjects[] | undefined;
}
interface FlowSchemaSpecApply {
    priorityLevelConfiguration?: PriorityLevelConfigurationReferenceApply | undefined;
    matchingPrecedence?: number | undefined;
    distinguisherMethod?: FlowDistinguisherMethodApply | undefined;
    rules?: PolicyRulesWithSubjectsDraft[] | undefined;
}
interface FlowSchemaSpecDraft {
    priorityLevelConfiguration: PriorityLevelConfigurationReference;
    matchingPrecedence?: number | undefined;
    distinguisherMethod?: FlowDistinguisherMethod | undefined;
    rules?: PolicyRulesWithSubjectsDraft[] | undefined;
}
interface FlowSchemaStatus {
    conditions?: FlowSchemaCondition[] | undefined;
}
interface ForNode {
    name: string;
}
interface ForZone {
    name: string;
}
interface ForkOptions extends Pick<ServerOptions, 'listen' | 'securePort' | 'clock' | 'log' | 'seed'> {
}
type Form = 'answer' | 'create';
type FromSchema<S, F extends Form = 'answer'> = Values<S, F> | (S extends {
    readonly nullable: true;
} ? null : never);
declare class FutureRevisionError extends Error {
    readonly currentRevision: number;
    constructor(currentRevision: number);
}
interface GCEPersistentDiskVolumeSource {
    pdName: string;
    fsType?: string | undefined;
    partition?: number | undefined;
    readOnly?: boolean | undefined;
}
interface GCEPersistentDiskVolumeSource$1 {
    pdName: string;
    fsType?: string | undefined;
    partition?: number | undefined;
    readOnly?: boolean | undefined;
}
interface GCEPersistentDiskVolumeSourceApply {
    pdName?: string | undefined;
    fsType?: string | undefined;
    partition?: number | undefined;
    readOnly?: boolean | undefined;
}
interface GRPCAction {
    port: number;
    service?: string | undefined;
    mode?: string | undefined;
}
interface GRPCAction$1 {
    port: number;
    service: string | null;
    mode?: 'Plaintext' | 'TLS' | undefined;
}
interface GRPCActionApply {
    port?: number | undefined;
    service?: string | null | undefined;
    mode?: 'Plaintext' | 'TLS' | undefined;
}
interface GRPCActionDraft {
    port: number;
    service?: string | null | undefined;
    mode?: 'Plaintext' | 'TLS' | undefined;
}
interface GangSchedulingPolicy {
    minCount: number;
}
interface GangSchedulingPolicyApply {
    minCount?: number | undefined;
}
interface GeneratedMetadata extends MetadataDraft {
    generateName: string;
}
interface GitRepoVolumeSource {
    repository: string;
    revision?: string | undefined;
    directory?: string | undefined;
}
interface GitRepoVolumeSource$1 {
    repository: string;
    revision?: string | undefined;
    directory?: string | undefined;
}
interface GitRepoVolumeSourceApply {
    repository?: string | undefined;
    revision?: string | undefined;
    directory?: string | undefined;
}
interface GlusterfsPersistentVolumeSource {
    endpoints: string;
    path: string;
    readOnly?: boolean | undefined;
    endpointsNamespace?: string | undefined;
}
interface GlusterfsPersistentVolumeSourceApply {
    endpoints?: string | undefined;
    path?: string | undefined;
    readOnly?: boolean | undefined;
    endpointsNamespace?: string | undefined;
}
interface GlusterfsVolumeSource {
    endpoints: string;
    path: string;
    readOnly?: boolean | undefined;
}
interface GlusterfsVolumeSource$1 {
    endpoints: string;
    path: string;
    readOnly?: boolean | undefined;
}
interface GlusterfsVolumeSourceApply {
    endpoints?: string | undefined;
    path?: string | undefined;
    readOnly?: boolean | undefined;
}
interface GroupKind {
    readonly group: string;
    readonly kind: string;
}
interface GroupResource {
    group: string;
    resource: string;
}
interface GroupResource$1 {
    readonly group: string;
    readonly resource: string;
}
interface GroupResourceApply {
    group?: string | undefined;
    resource?: string | undefined;
}
interface GroupResources {
    readonly group?: string | undefined;
    readonly resources?: readonly string[] | undefined;
    readonly resourceNames?: readonly string[] | undefined;
}
interface GroupSubject {
    name: string;
}
interface HPAScalingPolicy {
    type: string;
    value: number;
    periodSeconds: number;
}
interface HPAScalingRules {
    selectPolicy?: string | undefined;
    policies?: HPAScalingPolicy[] | undefined;
    stabilizationWindowSeconds?: number | undefined;
    tolerance?: string | undefined;
}
interface HPAScalingRulesDraft {
    selectPolicy?: string | undefined;
    policies?: HPAScalingPolicy[] | undefined;
    stabilizationWindowSeconds?: number | undefined;
    tolerance?: number | string | undefined;
}
interface HTTPGetAction {
    path?: string | undefined;
    port: number | string;
    host?: string | undefined;
    scheme?: string | undefined;
    httpHeaders?: HTTPHeader[] | undefined;
    protocol?: string | undefined;
}
interface HTTPGetAction$1 {
    path?: string | undefined;
    port: number | string;
    host?: string | undefined;
    scheme?: 'HTTP' | 'HTTPS' | undefined;
    httpHeaders?: HTTPHeader$1[] | undefined;
    protocol?: 'HTTP1' | 'HTTP2' | undefined;
}
interface HTTPGetActionApply {
    path?: string | undefined;
    port?: number | string | undefined;
    host?: string | undefined;
    scheme?: 'HTTP' | 'HTTPS' | undefined;
    httpHeaders?: HTTPHeader$1[] | undefined;
    protocol?: 'HTTP1' | 'HTTP2' | undefined;
}
interface HTTPHeader {
    name: string;
    value: string;
}
interface HTTPHeader$1 {
    name: string;
    value: string;
}
interface HTTPIngressPath {
    path?: string | undefined;
    backend: IngressBackend;
    pathType: 'Exact' | 'ImplementationSpecific' | 'Prefix';
}
interface HTTPIngressPathDraft {
    path?: string | undefined;
    backend: IngressBackendDraft;
    pathType: 'Exact' | 'ImplementationSpecific' | 'Prefix';
}
interface HTTPIngressRuleValue {
    paths: HTTPIngressPath[];
}
interface HTTPIngressRuleValueDraft {
    paths: HTTPIngressPathDraft[];
}
type HealthCheck = () => void | Promise<void>;
interface HealthOptions extends EndpointOptions {
    readonly live?: Readonly<Record<string, HealthCheck>> | undefined;
    readonly ready?: Readonly<Record<string, HealthCheck>> | undefined;
}
type HonouredGate = (typeof honouredGates)[number];
interface HorizontalPodAutoscaler {
    kind: 'HorizontalPodAutoscaler';
    apiVersion: 'autoscaling/v2';
    metadata: NamespacedMetadata;
    spec: HorizontalPodAutoscalerSpec;
    status: HorizontalPodAutoscalerStatus;
}
interface HorizontalPodAutoscalerApply {
    kind?: 'HorizontalPodAutoscaler' | undefined;
    apiVersion?: 'autoscaling/v2' | undefined;
    metadata: AppliedMetadata;
    spec?: HorizontalPodAutoscalerSpecApply | undefined;
    status?: HorizontalPodAutoscalerStatus | undefined;
}
interface HorizontalPodAutoscalerBehavior {
    scaleUp?: HPAScalingRules | undefined;
    scaleDown?: HPAScalingRules | undefined;
}
interface HorizontalPodAutoscalerBehaviorDraft {
    scaleUp?: HPAScalingRulesDraft | undefined;
    scaleDown?: HPAScalingRulesDraft | undefined;
}
interface HorizontalPodAutoscalerCondition {
    type: string;
    status: string;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
    observedGeneration?: number | undefined;
}
interface HorizontalPodAutoscalerDraft {
    kind?: 'HorizontalPodAutoscaler' | undefined;
    apiVersion?: 'autoscaling/v2' | undefined;
    metadata: NewMetadata;
    spec: HorizontalPodAutoscalerSpecDraft;
    status?: HorizontalPodAutoscalerStatus | undefined;
}
interface HorizontalPodAutoscalerSpec {
    scaleTargetRef: CrossVersionObjectReference;
    minReplicas: number;
    maxReplicas: number;
    metrics?: MetricSpec[] | undefined;
    behavior?: HorizontalPodAutoscalerBehavior | undefined;
}
interface HorizontalPodAutoscalerSpecApply {
    scaleTargetRef?: CrossVersionObjectReferenceApply | undefined;
    minReplicas?: number | undefined;
    maxReplicas?: number | undefined;
    metrics?: MetricSpecDraft[] | undefined;
    behavior?: HorizontalPodAutoscalerBehaviorDraft | undefined;
}
interface HorizontalPodAutoscalerSpecDraft {
    scaleTargetRef: CrossVersionObjectReference;
    minReplicas?: number | undefined;
    maxReplicas: number;
    metrics?: MetricSpecDraft[] | undefined;
    behavior?: HorizontalPodAutoscalerBehaviorDraft | undefined;
}
interface HorizontalPodAutoscalerStatus {
    observedGeneration?: number | undefined;
    lastScaleTime?: string | undefined;
    currentReplicas?: number | undefined;
    desiredReplicas: number;
    currentMetrics: MetricStatus[] | null;
    conditions?: HorizontalPodAutoscalerCondition[] | undefined;
}
interface HostAlias {
    ip: string;
    hostnames?: string[] | undefined;
}
interface HostAlias$1 {
    ip: string;
    hostnames?: string[] | undefined;
}
interface HostIP {
    ip: string;
}
interface HostIP$1 {
    ip: string;
}
interface HostOptions extends Pick<ServerOptions, 'clock' | 'log' | 'seed'> {
    readonly simulate?: ServerOptions['simulate'];
    readonly snapshot?: Snapshot | undefined;
}
interface HostPathVolumeSource {
    path: string;
    type?: string | undefined;
}
interface HostPathVolumeSource$1 {
    path: string;
    type?: '' | 'BlockDevice' | 'CharDevice' | 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate' | 'Socket' | undefined;
}
interface HostPathVolumeSourceApply {
    path?: string | undefined;
    type?: '' | 'BlockDevice' | 'CharDevice' | 'Directory' | 'DirectoryOrCreate' | 'File' | 'FileOrCreate' | 'Socket' | undefined;
}
interface IPAddress {
    kind: 'IPAddress';
    apiVersion: 'networking.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: IPAddressSpec;
}
interface IPAddressApply {
    kind?: 'IPAddress' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: IPAddressSpecApply | undefined;
}
interface IPAddressDraft {
    kind?: 'IPAddress' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: IPAddressSpec;
}
interface IPAddressSpec {
    parentRef: ParentReference;
}
interface IPAddressSpecApply {
    parentRef?: ParentReferenceApply | undefined;
}
interface IPBlock {
    cidr: string;
    except?: string[] | undefined;
}
interface ISCSIPersistentVolumeSource {
    targetPortal: string;
    iqn: string;
    lun: number;
    iscsiInterface?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    portals?: string[] | undefined;
    chapAuthDiscovery?: boolean | undefined;
    secretRef?: SecretReference | undefined;
    chapAuthSession?: boolean | undefined;
    initiatorName?: string | undefined;
}
interface ISCSIPersistentVolumeSourceApply {
    targetPortal?: string | undefined;
    iqn?: string | undefined;
    lun?: number | undefined;
    iscsiInterface?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    portals?: string[] | undefined;
    chapAuthDiscovery?: boolean | undefined;
    secretRef?: SecretReference | undefined;
    chapAuthSession?: boolean | undefined;
    initiatorName?: string | undefined;
}
interface ISCSIVolumeSource {
    targetPortal: string;
    iqn: string;
    lun: number;
    iscsiInterface?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    portals?: string[] | undefined;
    chapAuthDiscovery?: boolean | undefined;
    secretRef?: LocalObjectReference | undefined;
    chapAuthSession?: boolean | undefined;
    initiatorName?: string | undefined;
}
interface ISCSIVolumeSource$1 {
    targetPortal: string;
    iqn: string;
    lun: number;
    iscsiInterface?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    portals?: string[] | undefined;
    chapAuthDiscovery?: boolean | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    chapAuthSession?: boolean | undefined;
    initiatorName?: string | undefined;
}
interface ISCSIVolumeSourceApply {
    targetPortal?: string | undefined;
    iqn?: string | undefined;
    lun?: number | undefined;
    iscsiInterface?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    portals?: string[] | undefined;
    chapAuthDiscovery?: boolean | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    chapAuthSession?: boolean | undefined;
    initiatorName?: string | undefined;
}
interface ImageVolumeSource {
    reference?: string | undefined;
    pullPolicy?: string | undefined;
}
interface ImageVolumeSource$1 {
    reference?: string | undefined;
    pullPolicy?: 'Always' | 'IfNotPresent' | 'Never' | undefined;
}
interface ImageVolumeStatus {
    imageRef?: string | undefined;
}
interface ImageVolumeStatus$1 {
    imageRef: string;
}
type Incoming<T> = 0 extends 1 & T ? any : Omit<T, 'metadata'> & {
    metadata: MetadataDraft;
};
interface Informer<T> {
    readonly synced: Promise<void>;
    get(object: ObjectName): T | undefined;
    list(): T[];
    index(keysOf: (object: T) => readonly string[]): (key: string) => T[];
    learn(object: T): void;
    on(event: 'add' | 'delete', listener: (object: T) => void): () => void;
    on(event: 'update', listener: (object: T, old: T) => void): () => void;
    on(event: 'error', listener: (error: unknown) => void): () => void;
    on(event: 'sync', listener: () => void): () => void;
    stop(): void;
    [Symbol.dispose](): void;
}
interface InformerOptions<T> extends Selection {
    readonly transform?: ((object: T) => T) | undefined;
}
interface Ingress {
    kind: 'Ingress';
    apiVersion: 'networking.k8s.io/v1';
    metadata: NamespacedMetadata;
    spec: IngressSpec;
    status: IngressStatus;
}
interface IngressApply {
    kind?: 'Ingress' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: IngressSpecApply | undefined;
    status?: IngressStatus | undefined;
}
interface IngressBackend {
    resource?: TypedLocalObjectReference$1 | undefined;
    service?: IngressServiceBackend | undefined;
}
interface IngressBackendApply {
    resource?: TypedLocalObjectReferenceApply | undefined;
    service?: IngressServiceBackendApply | undefined;
}
interface IngressBackendDraft {
    resource?: TypedLocalObjectReferenceDraft | undefined;
    service?: IngressServiceBackendDraft | undefined;
}
interface IngressClass {
    kind: 'IngressClass';
    apiVersion: 'networking.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: IngressClassSpec;
}
interface IngressClassApply {
    kind?: 'IngressClass' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: IngressClassSpecApply | undefined;
}
interface IngressClassDraft {
    kind?: 'IngressClass' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: IngressClassSpecDraft | undefined;
}
interface IngressClassParametersReference {
    apiGroup?: string | undefined;
    kind: string;
    name: string;
    scope: string | null;
    namespace?: string | undefined;
}
interface IngressClassParametersReferenceApply {
    apiGroup?: string | undefined;
    kind?: string | undefined;
    name?: string | undefined;
    scope?: string | null | undefined;
    namespace?: string | undefined;
}
interface IngressClassParametersReferenceDraft {
    apiGroup?: string | undefined;
    kind: string;
    name: string;
    scope?: string | null | undefined;
    namespace?: string | undefined;
}
interface IngressClassSpec {
    controller?: string | undefined;
    parameters?: IngressClassParametersReference | undefined;
}
interface IngressClassSpecApply {
    controller?: string | undefined;
    parameters?: IngressClassParametersReferenceApply | undefined;
}
interface IngressClassSpecDraft {
    controller?: string | undefined;
    parameters?: IngressClassParametersReferenceDraft | undefined;
}
interface IngressDraft {
    kind?: 'Ingress' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: IngressSpecDraft | undefined;
    status?: IngressStatus | undefined;
}
interface IngressLoadBalancerIngress {
    ip?: string | undefined;
    hostname?: string | undefined;
    ports?: IngressPortStatus[] | undefined;
}
interface IngressLoadBalancerStatus {
    ingress?: IngressLoadBalancerIngress[] | undefined;
}
interface IngressPortStatus {
    port: number;
    protocol: 'SCTP' | 'TCP' | 'UDP';
    error?: string | undefined;
}
interface IngressRule {
    host?: string | undefined;
    http?: HTTPIngressRuleValue | undefined;
}
interface IngressRuleDraft {
    host?: string | undefined;
    http?: HTTPIngressRuleValueDraft | undefined;
}
interface IngressServiceBackend {
    name: string;
    port: ServiceBackendPort;
}
interface IngressServiceBackendApply {
    name?: string | undefined;
    port?: ServiceBackendPort | undefined;
}
interface IngressServiceBackendDraft {
    name: string;
    port?: ServiceBackendPort | undefined;
}
interface IngressSpec {
    defaultBackend?: IngressBackend | undefined;
    tls?: IngressTLS[] | undefined;
    rules?: IngressRule[] | undefined;
    ingressClassName?: string | undefined;
}
interface IngressSpecApply {
    defaultBackend?: IngressBackendApply | undefined;
    tls?: IngressTLS[] | undefined;
    rules?: IngressRuleDraft[] | undefined;
    ingressClassName?: string | undefined;
}
interface IngressSpecDraft {
    defaultBackend?: IngressBackendDraft | undefined;
    tls?: IngressTLS[] | undefined;
    rules?: IngressRuleDraft[] | undefined;
    ingressClassName?: string | undefined;
}
interface IngressStatus {
    loadBalancer: IngressLoadBalancerStatus;
}
interface IngressTLS {
    hosts?: string[] | undefined;
    secretName?: string | undefined;
}
interface InjectedRequest {
    readonly method?: string;
    readonly url: string;
    readonly headers?: Readonly<Record<string, string | string[]>>;
    readonly body?: unknown;
    readonly user?: Omit<UserInfo$2, 'groups'> & {
        readonly groups?: UserInfo$2['groups'] | undefined;
    };
}
interface InjectedResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | string[]>>;
    readonly body: Buffer;
    json(): any;
}
interface JSONPatch {
    expression?: string | undefined;
}
interface JSONSchemaProps {
    id?: string | undefined;
    "$schema"?: string | undefined;
    "$ref"?: string | undefined;
    description?: string | undefined;
    type?: string | undefined;
    format?: string | undefined;
    title?: string | undefined;
    default?: unknown | undefined;
    maximum?: number | undefined;
    exclusiveMaximum?: boolean | undefined;
    minimum?: number | undefined;
    exclusiveMinimum?: boolean | undefined;
    maxLength?: number | undefined;
    minLength?: number | undefined;
    pattern?: string | undefined;
    maxItems?: number | undefined;
    minItems?: number | undefined;
    uniqueItems?: boolean | undefined;
    multipleOf?: number | undefined;
    enum?: unknown[] | undefined;
    maxProperties?: number | undefined;
    minProperties?: number | undefined;
    required?: string[] | undefined;
    items?: JSONSchemaProps | JSONSchemaProps[] | undefined;
    allOf?: JSONSchemaProps[] | undefined;
    oneOf?: JSONSchemaProps[] | undefined;
    anyOf?: JSONSchemaProps[] | undefined;
    not?: JSONSchemaProps | undefined;
    properties?: Record<string, JSONSchemaProps> | undefined;
    additionalProperties?: JSONSchemaProps | boolean | undefined;
    patternProperties?: Record<string, JSONSchemaProps> | undefined;
    dependencies?: Record<string, JSONSchemaProps | string[]> | undefined;
    additionalItems?: JSONSchemaProps | boolean | undefined;
    definitions?: Record<string, JSONSchemaProps> | undefined;
    externalDocs?: ExternalDocumentation | undefined;
    example?: unknown | undefined;
    nullable?: boolean | undefined;
    "x-kubernetes-preserve-unknown-fields"?: boolean | undefined;
    "x-kubernetes-embedded-resource"?: boolean | undefined;
    "x-kubernetes-int-or-string"?: boolean | undefined;
    "x-kubernetes-list-map-keys"?: string[] | undefined;
    "x-kubernetes-list-type"?: string | undefined;
    "x-kubernetes-map-type"?: string | undefined;
    "x-kubernetes-validations"?: ValidationRule[] | undefined;
}
interface JSONSchemaProps$1 {
    id?: string | undefined;
    "$schema"?: string | undefined;
    "$ref"?: string | undefined;
    description?: string | undefined;
    type?: string | undefined;
    format?: string | undefined;
    title?: string | undefined;
    default?: unknown | undefined;
    maximum?: number | undefined;
    exclusiveMaximum?: boolean | undefined;
    minimum?: number | undefined;
    exclusiveMinimum?: boolean | undefined;
    maxLength?: number | undefined;
    minLength?: number | undefined;
    pattern?: string | undefined;
    maxItems?: number | undefined;
    minItems?: number | undefined;
    uniqueItems?: boolean | undefined;
    multipleOf?: number | undefined;
    enum?: unknown[] | undefined;
    maxProperties?: number | undefined;
    minProperties?: number | undefined;
    required?: string[] | undefined;
    items?: unknown | undefined;
    allOf?: JSONSchemaProps$1[] | undefined;
    oneOf?: JSONSchemaProps$1[] | undefined;
    anyOf?: JSONSchemaProps$1[] | undefined;
    not?: JSONSchemaProps$1 | undefined;
    properties?: Record<string, JSONSchemaProps$1> | undefined;
    additionalProperties?: unknown | undefined;
    patternProperties?: Record<string, JSONSchemaProps$1> | undefined;
    dependencies?: Record<string, unknown> | undefined;
    additionalItems?: unknown | undefined;
    definitions?: Record<string, JSONSchemaProps$1> | undefined;
    externalDocs?: ExternalDocumentation$1 | undefined;
    example?: unknown | undefined;
    nullable?: boolean | undefined;
    "x-kubernetes-preserve-unknown-fields"?: boolean | undefined;
    "x-kubernetes-embedded-resource"?: boolean | undefined;
    "x-kubernetes-int-or-string"?: boolean | undefined;
    "x-kubernetes-list-map-keys"?: string[] | undefined;
    "x-kubernetes-list-type"?: string | undefined;
    "x-kubernetes-map-type"?: string | undefined;
    "x-kubernetes-validations"?: ValidationRule$1[] | undefined;
}
interface Job {
    kind: 'Job';
    apiVersion: 'batch/v1';
    metadata: NamespacedMetadata;
    spec: JobSpec;
    status: JobStatus;
}
interface JobApply {
    kind?: 'Job' | undefined;
    apiVersion?: 'batch/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: JobSpecApply | undefined;
    status?: JobStatus | undefined;
}
interface JobCondition {
    type: string;
    status: string;
    lastProbeTime: string | null;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface JobDraft {
    kind?: 'Job' | undefined;
    apiVersion?: 'batch/v1' | undefined;
    metadata: NewMetadata;
    spec: JobSpecDraft;
    status?: JobStatus | undefined;
}
interface JobSchedulingConfiguration {
    schedulingPolicy?: WorkloadPodGroupSchedulingPolicy | undefined;
    schedulingConstraints?: WorkloadPodGroupSchedulingConstraints | undefined;
    disruptionMode?: WorkloadPodGroupDisruptionMode | undefined;
    resourceClaims?: WorkloadPodGroupResourceClaim[] | undefined;
}
interface JobSpec {
    parallelism?: number | undefined;
    completions?: number | undefined;
    activeDeadlineSeconds?: number | undefined;
    selector?: LabelSelector | undefined;
    manualSelector?: boolean | undefined;
    template: PodTemplateSpec;
    backoffLimit?: number | undefined;
    ttlSecondsAfterFinished?: number | undefined;
    completionMode?: 'Indexed' | 'NonIndexed' | (string & {}) | undefined;
    suspend?: boolean | undefined;
    podFailurePolicy?: PodFailurePolicy | undefined;
    backoffLimitPerIndex?: number | undefined;
    maxFailedIndexes?: number | undefined;
    podReplacementPolicy?: 'Failed' | 'TerminatingOrFailed' | undefined;
    managedBy?: string | undefined;
    successPolicy?: SuccessPolicy | undefined;
    scheduling?: JobSchedulingConfiguration | undefined;
}
interface JobSpecApply {
    parallelism?: number | undefined;
    completions?: number | undefined;
    activeDeadlineSeconds?: number | undefined;
    selector?: LabelSelector | undefined;
    manualSelector?: boolean | undefined;
    template?: PodTemplateSpecApply | undefined;
    backoffLimit?: number | undefined;
    ttlSecondsAfterFinished?: number | undefined;
    completionMode?: 'Indexed' | 'NonIndexed' | (string & {}) | undefined;
    suspend?: boolean | undefined;
    podFailurePolicy?: PodFailurePolicyApply | undefined;
    backoffLimitPerIndex?: number | undefined;
    maxFailedIndexes?: number | undefined;
    podReplacementPolicy?: 'Failed' | 'TerminatingOrFailed' | undefined;
    managedBy?: string | undefined;
    successPolicy?: SuccessPolicyApply | undefined;
    scheduling?: JobSchedulingConfiguration | undefined;
}
interface JobSpecDraft {
    parallelism?: number | undefined;
    completions?: number | undefined;
    activeDeadlineSeconds?: number | undefined;
    selector?: LabelSelector | undefined;
    manualSelector?: boolean | undefined;
    template: PodTemplateSpecDraft;
    backoffLimit?: number | undefined;
    ttlSecondsAfterFinished?: number | undefined;
    completionMode?: 'Indexed' | 'NonIndexed' | (string & {}) | undefined;
    suspend?: boolean | undefined;
    podFailurePolicy?: PodFailurePolicyDraft | undefined;
    backoffLimitPerIndex?: number | undefined;
    maxFailedIndexes?: number | undefined;
    podReplacementPolicy?: 'Failed' | 'TerminatingOrFailed' | undefined;
    managedBy?: string | undefined;
    successPolicy?: SuccessPolicy | undefined;
    scheduling?: JobSchedulingConfiguration | undefined;
}
interface JobStatus {
    conditions?: JobCondition[] | undefined;
    startTime?: string | undefined;
    completionTime?: string | undefined;
    active?: number | undefined;
    succeeded?: number | undefined;
    failed?: number | undefined;
    completedIndexes?: string | undefined;
    uncountedTerminatedPods?: UncountedTerminatedPods | undefined;
    ready?: number | undefined;
    failedIndexes?: string | undefined;
    terminating?: number | undefined;
}
interface JobTemplateSpec {
    metadata: TemplateMetadata;
    spec: JobSpec;
}
interface JobTemplateSpecApply {
    metadata?: MetadataDraft | undefined;
    spec?: JobSpecApply | undefined;
}
interface JobTemplateSpecDraft {
    metadata?: MetadataDraft | undefined;
    spec: JobSpecDraft;
}
interface JsonPatchOperation {
    readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
    readonly path: string;
    readonly from?: string;
    readonly value?: unknown;
}
interface JsonSchema {
    readonly [keyword: string]: unknown;
}
interface JsonSchemaConverter {
    readonly input: (options: {
        readonly target: 'draft-2020-12';
    }) => Record<string, unknown>;
}
interface KeyToPath {
    key: string;
    path: string;
    mode?: number | undefined;
    user?: number | undefined;
}
interface KeyToPath$1 {
    key: string;
    path: string;
    mode?: number | undefined;
    user?: number | undefined;
}
interface KeyValue {
    readonly key: string;
    readonly value: Buffer;
    readonly createRevision: number;
    readonly modRevision: number;
    readonly version: number;
    readonly stale?: boolean;
    readonly unreadable?: string;
    readonly unconverted?: string;
}
interface KeyVersion {
    readonly revision: number;
    readonly state: KeyValue | undefined;
}
interface KindRef<T = any, Types = unknown> {
    readonly apiVersion: string;
    readonly kind: string;
    readonly object?: T;
    readonly types?: Types;
}
interface KindTypes<T = any, Create = any, Apply = any, Subresources = any, Update = Named<Create>, Merge = MergePatch<Create>, Strategic = StrategicPatch<Create>> {
    object: T;
    create: Create;
    apply: Apply;
    subresources: Subresources;
    update: Update;
    merge: Merge;
    strategic: Strategic;
}
interface KindVersion {
    readonly name: string;
    readonly schema?: object | undefined;
    readonly served?: boolean | undefined;
    readonly storage?: boolean | undefined;
    readonly subresources?: object | undefined;
    readonly additionalPrinterColumns?: readonly object[] | null | undefined;
    readonly selectableFields?: readonly object[] | null | undefined;
    readonly deprecated?: boolean | undefined;
    readonly deprecationWarning?: string | undefined;
}
interface KubeClient {
    readonly namespace: string;
    with(more: ClientContext): KubeClient;
    of<V extends keyof BuiltinClients, K extends keyof BuiltinClients[V] & string>(apiVersion: V, kind: K): ClientOf<BuiltinClients[V][K]>;
    of<T extends KubeObject$1 = UntypedObject, Types = unknown>(kind: DeclaredKind<T, Types> | KindRef<T, Types>): ResourceClient<T, TypesOf<T, Types>>;
    untyped(apiVersion: string, kind: string): ResourceClient<UntypedObject>;
    apply(source: ManifestSource, options?: ManifestOptions): Promise<UntypedObject[]>;
    applySet(source: ManifestSource, options?: SetOptions): Promise<SetResult>;
    writeSet(entries: readonly SetEntry[], options?: SetOptions): Promise<SetResult>;
    request(request: Omit<InjectedRequest, 'user'>): Promise<InjectedResponse>;
    open(request: Omit<InjectedRequest, 'user'>, signal?: AbortSignal): Promise<StreamedAnswer>;
    webSocket(request: Omit<InjectedRequest, 'user'>, protocols: readonly string[], signal?: AbortSignal): Promise<OpenWebSocket>;
}
interface KubeList<T> {
    readonly items: T[];
    readonly metadata: {
        readonly resourceVersion: string;
        readonly continue?: string | undefined;
        readonly remainingItemCount?: number | undefined;
    };
}
interface KubeObject {
    kind: string;
    apiVersion: string;
    metadata: ObjectMetadata;
}
interface KubeObject$1 {
    kind?: string | undefined;
    apiVersion?: string | undefined;
    metadata: ObjectMeta;
}
interface LabelRequirement {
    readonly key: string;
    readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
    readonly values: readonly string[];
}
interface LabelSelector {
    matchLabels?: Record<string, string> | undefined;
    matchExpressions?: LabelSelectorRequirement[] | undefined;
}
interface LabelSelector$1 {
    matchLabels?: Record<string, string> | undefined;
    matchExpressions?: LabelSelectorRequirement$1[] | undefined;
}
interface LabelSelectorAttributes {
    rawSelector?: string | undefined;
    requirements?: LabelSelectorRequirement[] | undefined;
}
interface LabelSelectorRequirement {
    key: string;
    operator: string;
    values?: string[] | undefined;
}
interface LabelSelectorRequirement$1 {
    key: string;
    operator: string;
    values?: string[] | undefined;
}
interface LeaderElectionOptions {
    readonly name?: string | undefined;
    readonly leaseDuration?: number | undefined;
    readonly renewDeadline?: number | undefined;
    readonly retryPeriod?: number | undefined;
    readonly releaseOnStop?: boolean | undefined;
}
interface Lease {
    kind: 'Lease';
    apiVersion: 'coordination.k8s.io/v1';
    metadata: NamespacedMetadata;
    spec: LeaseSpec;
}
interface LeaseApply {
    kind?: 'Lease' | undefined;
    apiVersion?: 'coordination.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: LeaseSpec | undefined;
}
interface LeaseCandidate {
    kind: 'LeaseCandidate';
    apiVersion: 'coordination.k8s.io/v1beta1';
    metadata: NamespacedMetadata;
    spec: LeaseCandidateSpec;
}
interface LeaseCandidateApply {
    kind?: 'LeaseCandidate' | undefined;
    apiVersion?: 'coordination.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: LeaseCandidateSpecApply | undefined;
}
interface LeaseCandidateDraft {
    kind?: 'LeaseCandidate' | undefined;
    apiVersion?: 'coordination.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec: LeaseCandidateSpec;
}
interface LeaseCandidateSpec {
    leaseName: string;
    pingTime?: string | undefined;
    renewTime?: string | undefined;
    binaryVersion: string;
    emulationVersion?: string | undefined;
    strategy: string;
}
interface LeaseCandidateSpecApply {
    leaseName?: string | undefined;
    pingTime?: string | undefined;
    renewTime?: string | undefined;
    binaryVersion?: string | undefined;
    emulationVersion?: string | undefined;
    strategy?: string | undefined;
}
interface LeaseDraft {
    kind?: 'Lease' | undefined;
    apiVersion?: 'coordination.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: LeaseSpec | undefined;
}
interface LeaseSpec {
    holderIdentity?: string | undefined;
    leaseDurationSeconds?: number | undefined;
    acquireTime?: string | undefined;
    renewTime?: string | undefined;
    leaseTransitions?: number | undefined;
    strategy?: string | undefined;
    preferredHolder?: string | undefined;
}
interface Lifecycle {
    postStart?: LifecycleHandler | undefined;
    preStop?: LifecycleHandler | undefined;
    stopSignal?: string | undefined;
}
interface Lifecycle$1 {
    postStart?: LifecycleHandler$1 | undefined;
    preStop?: LifecycleHandler$1 | undefined;
    stopSignal?: 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGRTMAX' | 'SIGRTMAX-1' | 'SIGRTMAX-10' | 'SIGRTMAX-11' | 'SIGRTMAX-12' | 'SIGRTMAX-13' | 'SIGRTMAX-14' | 'SIGRTMAX-2' | 'SIGRTMAX-3' | 'SIGRTMAX-4' | 'SIGRTMAX-5' | 'SIGRTMAX-6' | 'SIGRTMAX-7' | 'SIGRTMAX-8' | 'SIGRTMAX-9' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ' | undefined;
}
interface LifecycleApply {
    postStart?: LifecycleHandlerApply | undefined;
    preStop?: LifecycleHandlerApply | undefined;
    stopSignal?: 'SIGABRT' | 'SIGALRM' | 'SIGBUS' | 'SIGCHLD' | 'SIGCLD' | 'SIGCONT' | 'SIGFPE' | 'SIGHUP' | 'SIGILL' | 'SIGINT' | 'SIGIO' | 'SIGIOT' | 'SIGKILL' | 'SIGPIPE' | 'SIGPOLL' | 'SIGPROF' | 'SIGPWR' | 'SIGQUIT' | 'SIGRTMAX' | 'SIGRTMAX-1' | 'SIGRTMAX-10' | 'SIGRTMAX-11' | 'SIGRTMAX-12' | 'SIGRTMAX-13' | 'SIGRTMAX-14' | 'SIGRTMAX-2' | 'SIGRTMAX-3' | 'SIGRTMAX-4' | 'SIGRTMAX-5' | 'SIGRTMAX-6' | 'SIGRTMAX-7' | 'SIGRTMAX-8' | 'SIGRTMAX-9' | 'SIGRTMIN' | 'SIGRTMIN+1' | 'SIGRTMIN+10' | 'SIGRTMIN+11' | 'SIGRTMIN+12' | 'SIGRTMIN+13' | 'SIGRTMIN+14' | 'SIGRTMIN+15' | 'SIGRTMIN+2' | 'SIGRTMIN+3' | 'SIGRTMIN+4' | 'SIGRTMIN+5' | 'SIGRTMIN+6' | 'SIGRTMIN+7' | 'SIGRTMIN+8' | 'SIGRTMIN+9' | 'SIGSEGV' | 'SIGSTKFLT' | 'SIGSTOP' | 'SIGSYS' | 'SIGTERM' | 'SIGTRAP' | 'SIGTSTP' | 'SIGTTIN' | 'SIGTTOU' | 'SIGURG' | 'SIGUSR1' | 'SIGUSR2' | 'SIGVTALRM' | 'SIGWINCH' | 'SIGXCPU' | 'SIGXFSZ' | undefined;
}
interface LifecycleHandler {
    exec?: ExecAction | undefined;
    httpGet?: HTTPGetAction | undefined;
    tcpSocket?: TCPSocketAction | undefined;
    sleep?: SleepAction | undefined;
}
interface LifecycleHandler$1 {
    exec?: ExecAction$1 | undefined;
    httpGet?: HTTPGetAction$1 | undefined;
    tcpSocket?: TCPSocketAction$1 | undefined;
    sleep?: SleepAction$1 | undefined;
}
interface LifecycleHandlerApply {
    exec?: ExecAction$1 | undefined;
    httpGet?: HTTPGetActionApply | undefined;
    tcpSocket?: TCPSocketActionApply | undefined;
    sleep?: SleepActionApply | undefined;
}
interface LimitRange {
    kind: 'LimitRange';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    spec: LimitRangeSpec;
}
interface LimitRangeApply {
    kind?: 'LimitRange' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: LimitRangeSpecApply | undefined;
}
interface LimitRangeDraft {
    kind?: 'LimitRange' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec: LimitRangeSpecDraft;
}
interface LimitRangeItem {
    type: string;
    max?: Record<string, string> | undefined;
    min?: Record<string, string> | undefined;
    default?: Record<string, string> | undefined;
    defaultRequest?: Record<string, string> | undefined;
    maxLimitRequestRatio?: Record<string, string> | undefined;
}
interface LimitRangeItemDraft {
    type: string;
    max?: Record<string, number | string> | undefined;
    min?: Record<string, number | string> | undefined;
    default?: Record<string, number | string> | undefined;
    defaultRequest?: Record<string, number | string> | undefined;
    maxLimitRequestRatio?: Record<string, number | string> | undefined;
}
interface LimitRangeSpec {
    limits: LimitRangeItem[];
}
interface LimitRangeSpecApply {
    limits?: LimitRangeItemDraft[] | undefined;
}
interface LimitRangeSpecDraft {
    limits: LimitRangeItemDraft[];
}
interface LimitResponse {
    type: string;
    queuing?: QueuingConfiguration | undefined;
}
interface LimitResponseApply {
    type?: string | undefined;
    queuing?: QueuingConfigurationDraft | undefined;
}
interface LimitResponseDraft {
    type: string;
    queuing?: QueuingConfigurationDraft | undefined;
}
interface LimitedPriorityLevelConfiguration {
    nominalConcurrencyShares: number | null;
    limitResponse: LimitResponse;
    lendablePercent?: number | undefined;
    borrowingLimitPercent?: number | undefined;
}
interface LimitedPriorityLevelConfigurationApply {
    nominalConcurrencyShares?: number | null | undefined;
    limitResponse?: LimitResponseApply | undefined;
    lendablePercent?: number | undefined;
    borrowingLimitPercent?: number | undefined;
}
interface LimitedPriorityLevelConfigurationDraft {
    nominalConcurrencyShares?: number | null | undefined;
    limitResponse: LimitResponseDraft;
    lendablePercent?: number | undefined;
    borrowingLimitPercent?: number | undefined;
}
interface LinuxContainerUser {
    uid: number;
    gid: number;
    supplementalGroups?: number[] | undefined;
}
interface LinuxContainerUser$1 {
    uid: number;
    gid: number;
    supplementalGroups?: number[] | undefined;
}
interface ListMeta {
    selfLink?: string | undefined;
    resourceVersion?: string | undefined;
    continue?: string | undefined;
    remainingItemCount?: number | undefined;
    shardInfo?: ShardInfo | undefined;
}
interface ListOptions extends ReadOptions {
    readonly limit?: number | undefined;
    readonly start?: string | undefined;
}
interface ListResult {
    readonly items: KeyValue[];
    readonly revision: number;
    readonly more: boolean;
    readonly count: number;
    readonly streamed?: true | undefined;
}
interface ListSelection extends Selection {
    readonly orderBy?: string | undefined;
    readonly limit?: number | undefined;
    readonly continue?: string | undefined;
    readonly resourceVersion?: string | undefined;
}
interface LoadBalancerIngress {
    ip?: string | undefined;
    hostname?: string | undefined;
    ipMode?: string | undefined;
    ports?: PortStatus[] | undefined;
}
interface LoadBalancerStatus {
    ingress?: LoadBalancerIngress[] | undefined;
}
interface LocalObjectReference {
    name?: string | undefined;
}
interface LocalObjectReference$1 {
    name?: string | undefined;
}
interface LocalSubjectAccessReview {
    kind: 'LocalSubjectAccessReview';
    apiVersion: 'authorization.k8s.io/v1';
    metadata: MetadataDraft;
    spec: SubjectAccessReviewSpec;
    status: SubjectAccessReviewStatus;
}
interface LocalSubjectAccessReviewApply {
    kind?: 'LocalSubjectAccessReview' | undefined;
    apiVersion?: 'authorization.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec?: SubjectAccessReviewSpec | undefined;
    status?: SubjectAccessReviewStatus | undefined;
}
interface LocalSubjectAccessReviewDraft {
    kind?: 'LocalSubjectAccessReview' | undefined;
    apiVersion?: 'authorization.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec: SubjectAccessReviewSpec;
    status?: SubjectAccessReviewStatus | undefined;
}
interface LocalVolumeSource {
    path: string;
    fsType?: string | undefined;
}
interface LocalVolumeSourceApply {
    path?: string | undefined;
    fsType?: string | undefined;
}
type LogFields = Readonly<Record<string, unknown>>;
interface LogOptions {
    readonly namespace?: string | undefined;
    readonly container?: string | undefined;
    readonly follow?: boolean | undefined;
    readonly previous?: boolean | undefined;
    readonly tailLines?: number | undefined;
    readonly sinceSeconds?: number | undefined;
    readonly sinceTime?: string | undefined;
    readonly timestamps?: boolean | undefined;
    readonly limitBytes?: number | undefined;
    readonly signal?: AbortSignal | undefined;
}
interface Logger {
    error(message: string, fields?: LogFields): void;
    warn(message: string, fields?: LogFields): void;
    info(message: string, fields?: LogFields): void;
    v?(level: number): Pick<Logger, 'info'> | undefined;
    setVerbosity?(level: number): void;
}
interface ManagedFieldsEntry {
    manager?: string | undefined;
    operation?: 'Apply' | 'Update' | undefined;
    apiVersion?: string | undefined;
    time?: string | undefined;
    fieldsType?: string | undefined;
    fieldsV1?: Record<string, unknown> | undefined;
    subresource?: string | undefined;
}
interface ManagedFieldsEntry$1 {
    manager?: string | undefined;
    operation?: string | undefined;
    apiVersion?: string | undefined;
    time?: string | null | undefined;
    fieldsType?: string | undefined;
    fieldsV1?: Record<string, unknown> | undefined;
    subresource?: string | undefined;
}
interface ManifestOptions {
    readonly namespace?: string | undefined;
    readonly fieldManager?: string | undefined;
    readonly force?: boolean | undefined;
    readonly timeout?: number | undefined;
    readonly onWarning?: ((text: string) => void) | undefined;
    readonly onError?: ((error: Error) => void) | undefined;
}
type ManifestSource = string | URL | object | readonly ManifestSource[];
interface ManifestsOptions {
    readonly image?: string | undefined;
    readonly namespace?: string | undefined;
    readonly replicas?: number | undefined;
}
interface MatchCondition {
    name: string;
    expression: string;
}
interface MatchConditionApply {
    name: string;
    expression?: string | undefined;
}
interface MatchResources {
    namespaceSelector?: LabelSelector | undefined;
    objectSelector?: LabelSelector | undefined;
    resourceRules?: NamedRuleWithOperations[] | undefined;
    excludeResourceRules?: NamedRuleWithOperations[] | undefined;
    matchPolicy?: 'Equivalent' | 'Exact' | undefined;
}
type MergePatch<T> = {
    [Field in keyof T]?: Patched<T[Field]> | null | undefined;
};
interface MetadataDraft {
    name?: string | undefined;
    generateName?: string | undefined;
    namespace?: string | undefined;
    selfLink?: string | undefined;
    uid?: string | undefined;
    resourceVersion?: string | undefined;
    generation?: number | undefined;
    creationTimestamp?: string | null | undefined;
    deletionTimestamp?: string | null | undefined;
    deletionGracePeriodSeconds?: number | undefined;
    labels?: Record<string, string> | undefined;
    annotations?: Record<string, string> | undefined;
    ownerReferences?: OwnerReference[] | undefined;
    finalizers?: string[] | undefined;
    managedFields?: ManagedFieldsEntry[] | undefined;
}
interface MetricIdentifier {
    name: string;
    selector?: LabelSelector | undefined;
}
interface MetricSpec {
    type: string;
    object?: ObjectMetricSource | undefined;
    pods?: PodsMetricSource | undefined;
    resource?: ResourceMetricSource | undefined;
    external?: ExternalMetricSource | undefined;
    containerResource?: ContainerResourceMetricSource | undefined;
}
interface MetricSpecDraft {
    type: string;
    object?: ObjectMetricSourceDraft | undefined;
    pods?: PodsMetricSourceDraft | undefined;
    resource?: ResourceMetricSourceDraft | undefined;
    external?: ExternalMetricSourceDraft | undefined;
    containerResource?: ContainerResourceMetricSourceDraft | undefined;
}
interface MetricStatus {
    type: string;
    object?: ObjectMetricStatus | undefined;
    pods?: PodsMetricStatus | undefined;
    resource?: ResourceMetricStatus | undefined;
    external?: ExternalMetricStatus | undefined;
    containerResource?: ContainerResourceMetricStatus | undefined;
}
interface MetricTarget {
    type: string;
    value?: string | undefined;
    averageValue?: string | undefined;
    averageUtilization?: number | undefined;
}
interface MetricTargetDraft {
    type: string;
    value?: number | string | undefined;
    averageValue?: number | string | undefined;
    averageUtilization?: number | undefined;
}
interface MetricValueStatus {
    value?: string | undefined;
    averageValue?: string | undefined;
    averageUtilization?: number | undefined;
}
interface ModifyVolumeStatus {
    targetVolumeAttributesClassName?: string | undefined;
    status: 'InProgress' | 'Infeasible' | 'Pending' | (string & {});
}
interface MutatingAdmissionPolicy {
    kind: 'MutatingAdmissionPolicy';
    apiVersion: 'admissionregistration.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: MutatingAdmissionPolicySpec;
}
interface MutatingAdmissionPolicyApply {
    kind?: 'MutatingAdmissionPolicy' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: MutatingAdmissionPolicySpecApply | undefined;
}
interface MutatingAdmissionPolicyBinding {
    kind: 'MutatingAdmissionPolicyBinding';
    apiVersion: 'admissionregistration.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: MutatingAdmissionPolicyBindingSpec;
}
interface MutatingAdmissionPolicyBindingApply {
    kind?: 'MutatingAdmissionPolicyBinding' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: MutatingAdmissionPolicyBindingSpec | undefined;
}
interface MutatingAdmissionPolicyBindingDraft {
    kind?: 'MutatingAdmissionPolicyBinding' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: MutatingAdmissionPolicyBindingSpec | undefined;
}
interface MutatingAdmissionPolicyBindingSpec {
    policyName?: string | undefined;
    paramRef?: ParamRef | undefined;
    matchResources?: MatchResources | undefined;
}
interface MutatingAdmissionPolicyDraft {
    kind?: 'MutatingAdmissionPolicy' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: MutatingAdmissionPolicySpec | undefined;
}
interface MutatingAdmissionPolicySpec {
    paramKind?: ParamKind | undefined;
    matchConstraints?: MatchResources | undefined;
    variables?: Variable[] | undefined;
    mutations?: Mutation[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    matchConditions?: MatchCondition[] | undefined;
    reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}
interface MutatingAdmissionPolicySpecApply {
    paramKind?: ParamKind | undefined;
    matchConstraints?: MatchResources | undefined;
    variables?: Variable[] | undefined;
    mutations?: Mutation[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    matchConditions?: MatchConditionApply[] | undefined;
    reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}
interface MutatingWebhook {
    name: string;
    clientConfig: WebhookClientConfig;
    rules?: RuleWithOperations[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    namespaceSelector?: LabelSelector | undefined;
    sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
    timeoutSeconds?: number | undefined;
    admissionReviewVersions: string[];
    matchPolicy?: 'Equivalent' | 'Exact' | undefined;
    reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
    objectSelector?: LabelSelector | undefined;
    matchConditions?: MatchCondition[] | undefined;
}
interface MutatingWebhookApply {
    name: string;
    clientConfig?: WebhookClientConfigApply | undefined;
    rules?: RuleWithOperations[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    namespaceSelector?: LabelSelector | undefined;
    sideEffects?: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown' | undefined;
    timeoutSeconds?: number | undefined;
    admissionReviewVersions?: string[] | undefined;
    matchPolicy?: 'Equivalent' | 'Exact' | undefined;
    reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
    objectSelector?: LabelSelector | undefined;
    matchConditions?: MatchConditionApply[] | undefined;
}
interface MutatingWebhookConfiguration {
    kind: 'MutatingWebhookConfiguration';
    apiVersion: 'admissionregistration.k8s.io/v1';
    metadata: ObjectMetadata;
    webhooks?: MutatingWebhook[] | undefined;
}
interface MutatingWebhookConfigurationApply {
    kind?: 'MutatingWebhookConfiguration' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    webhooks?: MutatingWebhookApply[] | undefined;
}
interface MutatingWebhookConfigurationDraft {
    kind?: 'MutatingWebhookConfiguration' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    webhooks?: MutatingWebhook[] | undefined;
}
interface Mutation {
    patchType: 'ApplyConfiguration' | 'JSONPatch';
    applyConfiguration?: ApplyConfiguration | undefined;
    jsonPatch?: JSONPatch | undefined;
}
interface NFSVolumeSource {
    server: string;
    path: string;
    readOnly?: boolean | undefined;
}
interface NFSVolumeSource$1 {
    server: string;
    path: string;
    readOnly?: boolean | undefined;
}
interface NFSVolumeSourceApply {
    server?: string | undefined;
    path?: string | undefined;
    readOnly?: boolean | undefined;
}
type Named<T> = T & {
    readonly metadata: NamedMetadata;
};
interface NamedMetadata extends MetadataDraft {
    name: string;
}
type NamedObject<O extends KubeObject$1> = O extends {
    readonly apiVersion: infer V extends keyof BuiltinKinds;
    readonly kind: infer K;
} ? K extends keyof BuiltinKinds[V] ? BuiltinKinds[V][K] : UntypedObject : string extends O['apiVersion'] ? O : undefined extends O['apiVersion'] ? O : UntypedObject;
interface NamedRuleWithOperations {
    resourceNames?: string[] | undefined;
    operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[] | undefined;
    apiGroups?: string[] | undefined;
    apiVersions?: string[] | undefined;
    resources?: string[] | undefined;
    scope?: '*' | 'Cluster' | 'Namespaced' | undefined;
}
interface Namespace {
    kind: 'Namespace';
    apiVersion: 'v1';
    metadata: ObjectMetadata;
    spec: NamespaceSpec;
    status: NamespaceStatus;
}
interface NamespaceApply {
    kind?: 'Namespace' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: NamespaceSpec | undefined;
    status?: NamespaceStatus | undefined;
}
interface NamespaceCondition {
    type: string;
    status: string;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface NamespaceDraft {
    kind?: 'Namespace' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec?: NamespaceSpec | undefined;
    status?: NamespaceStatus | undefined;
}
interface NamespaceSpec {
    finalizers?: string[] | undefined;
}
interface NamespaceStatus {
    phase: 'Active' | 'Terminating';
    conditions?: NamespaceCondition[] | undefined;
}
interface NamespacedMetadata extends ObjectMetadata {
    namespace: string;
}
interface NetworkDeviceData {
    interfaceName?: string | undefined;
    ips?: string[] | undefined;
    hardwareAddress?: string | undefined;
}
interface NetworkPolicy {
    kind: 'NetworkPolicy';
    apiVersion: 'networking.k8s.io/v1';
    metadata: NamespacedMetadata;
    spec: NetworkPolicySpec;
}
interface NetworkPolicyApply {
    kind?: 'NetworkPolicy' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: NetworkPolicySpecDraft | undefined;
}
interface NetworkPolicyDraft {
    kind?: 'NetworkPolicy' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: NetworkPolicySpecDraft | undefined;
}
interface NetworkPolicyEgressRule {
    ports?: NetworkPolicyPort[] | undefined;
    to?: NetworkPolicyPeer[] | undefined;
}
interface NetworkPolicyIngressRule {
    ports?: NetworkPolicyPort[] | undefined;
    from?: NetworkPolicyPeer[] | undefined;
}
interface NetworkPolicyPeer {
    podSelector?: LabelSelector | undefined;
    namespaceSelector?: LabelSelector | undefined;
    ipBlock?: IPBlock | undefined;
}
interface NetworkPolicyPort {
    protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
    port?: number | string | undefined;
    endPort?: number | undefined;
}
interface NetworkPolicySpec {
    podSelector: LabelSelector;
    ingress?: NetworkPolicyIngressRule[] | undefined;
    egress?: NetworkPolicyEgressRule[] | undefined;
    policyTypes: ('Egress' | 'Ingress')[];
}
interface NetworkPolicySpecDraft {
    podSelector?: LabelSelector | undefined;
    ingress?: NetworkPolicyIngressRule[] | undefined;
    egress?: NetworkPolicyEgressRule[] | undefined;
    policyTypes?: ('Egress' | 'Ingress')[] | undefined;
}
interface NewCondition {
    readonly type: string;
    readonly status: 'True' | 'False' | 'Unknown';
    readonly reason: string;
    readonly message?: string | undefined;
    readonly observedGeneration?: number | undefined;
    readonly lastTransitionTime?: string | undefined;
}
type NewMetadata = NamedMetadata | GeneratedMetadata;
type NewObject<T> = Draft<T> & {
    metadata: NewMetadata;
};
type NoSubresources = Record<never, never>;
interface Node {
    kind: 'Node';
    apiVersion: 'v1';
    metadata: ObjectMetadata;
    spec: NodeSpec;
    status: NodeStatus;
}
interface NodeAddress {
    type: string;
    address: string;
}
interface NodeAffinity {
    requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector | undefined;
    preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm[] | undefined;
}
interface NodeAffinity$1 {
    requiredDuringSchedulingIgnoredDuringExecution?: NodeSelector$1 | undefined;
    preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm$1[] | undefined;
}
interface NodeAffinityApply {
    requiredDuringSchedulingIgnoredDuringExecution?: NodeSelectorApply | undefined;
    preferredDuringSchedulingIgnoredDuringExecution?: PreferredSchedulingTerm$1[] | undefined;
}
interface NodeAllocatableMappedResources {
    name: string;
    quantity?: string | undefined;
}
interface NodeAllocatableMappedResources$1 {
    name: string;
    quantity: string;
}
interface NodeAllocatableMapping {
    capacityKey?: string | undefined;
    capacityMultiplier?: string | undefined;
    deviceMultiplier?: string | undefined;
}
interface NodeAllocatableMappingDraft {
    capacityKey?: string | undefined;
    capacityMultiplier?: number | string | undefined;
    deviceMultiplier?: number | string | undefined;
}
interface NodeAllocatableOverhead {
    perPod?: string | undefined;
    perContainer?: string | undefined;
}
interface NodeAllocatableOverheadDraft {
    perPod?: number | string | undefined;
    perContainer?: number | string | undefined;
}
interface NodeAllocatableOverheadResources {
    name: string;
    perPod?: string | undefined;
    perContainer?: string | undefined;
}
interface NodeAllocatableOverheadResources$1 {
    name: string;
    perPod?: string | undefined;
    perContainer?: string | undefined;
}
interface NodeAllocatableResource {
    mapping?: NodeAllocatableMapping | undefined;
    overhead?: NodeAllocatableOverhead | undefined;
}
interface NodeAllocatableResourceClaimStatus {
    resourceClaimName: string;
    containers?: string[] | undefined;
    mapping?: NodeAllocatableMappedResources[] | undefined;
    overhead?: NodeAllocatableOverheadResources[] | undefined;
}
interface NodeAllocatableResourceClaimStatus$1 {
    resourceClaimName: string;
    containers?: string[] | undefined;
    mapping?: NodeAllocatableMappedResources$1[] | undefined;
    overhead?: NodeAllocatableOverheadResources$1[] | undefined;
}
interface NodeAllocatableResourceDraft {
    mapping?: NodeAllocatableMappingDraft | undefined;
    overhead?: NodeAllocatableOverheadDraft | undefined;
}
interface NodeApply {
    kind?: 'Node' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: NodeSpecApply | undefined;
    status?: NodeStatus | undefined;
}
interface NodeCondition {
    type: string;
    status: string;
    lastHeartbeatTime: string | null;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface NodeConfigSource {
    configMap?: ConfigMapNodeConfigSource | undefined;
}
interface NodeConfigSourceApply {
    configMap?: ConfigMapNodeConfigSourceApply | undefined;
}
interface NodeConfigStatus {
    assigned?: NodeConfigSource | undefined;
    active?: NodeConfigSource | undefined;
    lastKnownGood?: NodeConfigSource | undefined;
    error?: string | undefined;
}
interface NodeCost {
    readonly expression: string;
    readonly line: number;
    readonly column: number;
    readonly each: number;
    readonly times: number;
    readonly own: number;
}
interface NodeDaemonEndpoints {
    kubeletEndpoint: DaemonEndpoint;
}
interface NodeDraft {
    kind?: 'Node' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec?: NodeSpec | undefined;
    status?: NodeStatus | undefined;
}
interface NodeFeatures {
    supplementalGroupsPolicy?: boolean | undefined;
}
interface NodePodPreemptionPolicy {
    disableResizePreemption?: string[] | undefined;
}
interface NodeRuntimeHandler {
    name: string;
    features?: NodeRuntimeHandlerFeatures | undefined;
}
interface NodeRuntimeHandlerFeatures {
    recursiveReadOnlyMounts?: boolean | undefined;
    userNamespaces?: boolean | undefined;
}
interface NodeSelector {
    nodeSelectorTerms: NodeSelectorTerm[] | null;
}
interface NodeSelector$1 {
    nodeSelectorTerms: NodeSelectorTerm$1[];
}
interface NodeSelectorApply {
    nodeSelectorTerms?: NodeSelectorTerm$1[] | undefined;
}
interface NodeSelectorRequirement {
    key: string;
    operator: string;
    values?: string[] | undefined;
}
interface NodeSelectorRequirement$1 {
    key: string;
    operator: 'DoesNotExist' | 'Exists' | 'Gt' | 'In' | 'Lt' | 'NotIn';
    values?: string[] | undefined;
}
interface NodeSelectorTerm {
    matchExpressions?: NodeSelectorRequirement[] | undefined;
    matchFields?: NodeSelectorRequirement[] | undefined;
}
interface NodeSelectorTerm$1 {
    matchExpressions?: NodeSelectorRequirement$1[] | undefined;
    matchFields?: NodeSelectorRequirement$1[] | undefined;
}
interface NodeSpec {
    podCIDR?: string | undefined;
    externalID?: string | undefined;
    providerID?: string | undefined;
    unschedulable?: boolean | undefined;
    taints?: Taint[] | undefined;
    configSource?: NodeConfigSource | undefined;
    podCIDRs?: string[] | undefined;
    podPreemptionPolicy?: NodePodPreemptionPolicy | undefined;
}
interface NodeSpecApply {
    podCIDR?: string | undefined;
    externalID?: string | undefined;
    providerID?: string | undefined;
    unschedulable?: boolean | undefined;
    taints?: Taint[] | undefined;
    configSource?: NodeConfigSourceApply | undefined;
    podCIDRs?: string[] | undefined;
    podPreemptionPolicy?: NodePodPreemptionPolicy | undefined;
}
interface NodeStatus {
    capacity?: Record<string, string> | undefined;
    allocatable?: Record<string, string> | undefined;
    phase?: 'Pending' | 'Running' | 'Terminated' | undefined;
    conditions?: NodeCondition[] | undefined;
    addresses?: NodeAddress[] | undefined;
    daemonEndpoints: NodeDaemonEndpoints;
    nodeInfo: NodeSystemInfo;
    images?: ContainerImage[] | undefined;
    volumesInUse?: string[] | undefined;
    volumesAttached?: AttachedVolume[] | undefined;
    config?: NodeConfigStatus | undefined;
    runtimeHandlers?: NodeRuntimeHandler[] | undefined;
    features?: NodeFeatures | undefined;
    declaredFeatures?: string[] | undefined;
}
interface NodeSwapStatus {
    capacity?: number | undefined;
}
interface NodeSystemInfo {
    machineID: string;
    systemUUID: string;
    bootID: string;
    kernelVersion: string;
    osImage: string;
    containerRuntimeVersion: string;
    kubeletVersion: string;
    kubeProxyVersion: string;
    operatingSystem: string;
    architecture: string;
    swap?: NodeSwapStatus | undefined;
    runningInUserNamespace?: boolean | undefined;
}
interface NonResourceAttributes {
    path?: string | undefined;
    verb?: string | undefined;
}
interface NonResourcePolicyRule {
    verbs: string[];
    nonResourceURLs: string[];
}
interface NonResourceRule {
    readonly verbs: readonly string[];
    readonly nonResourceURLs?: readonly string[] | undefined;
}
interface NonResourceRule$1 {
    verbs: string[];
    nonResourceURLs?: string[] | undefined;
}
interface ObjectChange<T> {
    readonly type: 'create' | 'update' | 'delete';
    readonly object: T;
    readonly old?: T | undefined;
}
interface ObjectFieldSelector {
    apiVersion?: string | undefined;
    fieldPath: string;
}
interface ObjectFieldSelector$1 {
    apiVersion?: string | undefined;
    fieldPath: string;
}
interface ObjectFieldSelectorApply {
    apiVersion?: string | undefined;
    fieldPath?: string | undefined;
}
interface ObjectMeta {
    name?: string | undefined;
    generateName?: string | undefined;
    namespace?: string | undefined;
    selfLink?: string | undefined;
    uid?: string | undefined;
    resourceVersion?: string | undefined;
    generation?: number | undefined;
    creationTimestamp?: string | null | undefined;
    deletionTimestamp?: string | null | undefined;
    deletionGracePeriodSeconds?: number | undefined;
    labels?: Record<string, string> | undefined;
    annotations?: Record<string, string> | undefined;
    ownerReferences?: OwnerReference$1[] | undefined;
    finalizers?: string[] | undefined;
    managedFields?: ManagedFieldsEntry$1[] | undefined;
}
interface ObjectMetadata extends MetadataDraft {
    name: string;
    uid: string;
    resourceVersion: string;
    creationTimestamp: string;
    deletionTimestamp?: string | undefined;
}
interface ObjectMetricSource {
    describedObject: CrossVersionObjectReference;
    target: MetricTarget;
    metric: MetricIdentifier;
}
interface ObjectMetricSourceDraft {
    describedObject: CrossVersionObjectReference;
    target: MetricTargetDraft;
    metric: MetricIdentifier;
}
interface ObjectMetricStatus {
    metric: MetricIdentifier;
    current: MetricValueStatus;
    describedObject: CrossVersionObjectReference;
}
type ObjectName = string | {
    readonly metadata: {
        readonly name?: string | undefined;
        readonly namespace?: string | undefined;
    };
};
type ObjectOf<S, F extends Form> = S extends {
    readonly properties: infer P;
} ? Fields<P, S, F> & Unknown<S> : S extends {
    readonly additionalProperties: infer Values;
} ? Record<string, Values extends boolean ? unknown : FromSchema<Values, F>> : Record<string, unknown>;
type ObjectOfVersion<Version> = SchemaObject<SchemaIn<Version>>;
interface ObjectOptions {
    readonly namespace?: string | undefined;
    readonly query?: Readonly<Record<string, string>> | undefined;
}
interface ObjectReference {
    kind?: string | undefined;
    namespace?: string | undefined;
    name?: string | undefined;
    uid?: string | undefined;
    apiVersion?: string | undefined;
    resourceVersion?: string | undefined;
    fieldPath?: string | undefined;
}
interface ObjectReferenceApply {
    kind?: string | undefined;
    namespace?: string | undefined;
    name: string;
    uid?: string | undefined;
    apiVersion?: string | undefined;
    resourceVersion?: string | undefined;
    fieldPath?: string | undefined;
}
interface OpaqueDeviceConfiguration {
    driver: string;
    parameters: Record<string, unknown>;
}
interface OpenImage {
    readonly clock?: Clock | undefined;
    readonly compactionInterval?: number | undefined;
    readonly directory?: string | undefined;
}
interface OpenWebSocket {
    readonly protocol: string;
    readonly connection: Duplex;
}
interface OperationContext {
    readonly now: number;
    readonly user: UserInfo$2;
    readonly namespace: string;
    readonly version: string;
    readonly subresource: string;
    readonly dryRun: boolean;
    readonly warn: (text: string) => void;
}
interface Operator {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly kinds?: readonly (OperatorKind | DefinitionManifest)[] | undefined;
    readonly reconcilers: readonly Reconciler[];
    readonly webhooks?: readonly Webhook[] | undefined;
    readonly conversions?: readonly Conversion[] | undefined;
    readonly permissions?: readonly PermissionRule[] | undefined;
    readonly cache?: readonly CachedKind[] | undefined;
    readonly leaderElection?: boolean | LeaderElectionOptions | undefined;
}
interface OperatorKind<T = any> extends DeclaredKind<T> {
    readonly resource: string;
    readonly singular?: string | undefined;
    readonly shortNames?: readonly string[] | undefined;
    readonly categories?: readonly string[] | undefined;
    readonly namespaced?: boolean | undefined;
    readonly versions: readonly [
        KindVersion,
        ...KindVersion[]
    ];
}
interface OperatorManifest {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: {
        readonly name: string;
        readonly namespace?: string;
        readonly [field: string]: unknown;
    };
    readonly [field: string]: unknown;
}
interface Overhead {
    podFixed?: Record<string, string> | undefined;
}
interface OverheadDraft {
    podFixed?: Record<string, number | string> | undefined;
}
type Own = 'apiVersion' | 'kind' | 'metadata';
interface OwnKind<T extends KubeObject$1 = any, Types = unknown> extends DeclaredKind<T, Types> {
    readonly group: string;
    readonly kind: string;
    readonly resource: string;
    readonly singular?: string;
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
    readonly namespaced?: boolean;
    readonly versions: readonly [
        OwnVersion,
        ...OwnVersion[]
    ];
    readonly indexes?: readonly string[];
    default?(object: Incoming<T>, context: Pick<OperationContext, 'now'>): void;
    prepareForCreate?(object: T, context: OperationContext): void | Promise<void>;
    prepareForUpdate?(object: T, old: T, context: OperationContext): void | Promise<void>;
    validate?(object: T, errors: FieldErrors, context: OperationContext): void;
    validateUpdate?(object: T, old: T, errors: FieldErrors, context: OperationContext): void;
    warnings?(object: T, old: T | undefined, context: OperationContext): string[];
    afterDelete?(object: T, context: OperationContext): void;
}
interface OwnSubresources<T> {
    status: SubresourceClient<T>;
    scale: SubresourceClient<Scale>;
}
interface OwnTypes<T> extends KindTypes<T, NewObject<T>, AppliedObject<T>, string extends keyof T ? Record<string, SubresourceClient<T>> : OwnSubresources<T>> {
}
type OwnVersion = Readonly<Omit<CustomResourceDefinitionVersion$1, 'served' | 'storage' | 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields'>> & {
    readonly served?: boolean;
    readonly storage?: boolean;
    readonly schema: object;
    readonly subresources?: {
        readonly status?: object | undefined;
        readonly scale?: {
            readonly specReplicasPath: string;
            readonly statusReplicasPath: string;
            readonly labelSelectorPath?: string | undefined;
        } | undefined;
    };
    readonly additionalPrinterColumns?: readonly Readonly<NonNullable<CustomResourceDefinitionVersion$1['additionalPrinterColumns']>[number]>[];
    readonly selectableFields?: readonly Readonly<NonNullable<CustomResourceDefinitionVersion$1['selectableFields']>[number]>[];
};
interface Ownable {
    metadata: {
        name?: string | undefined;
        namespace?: string | undefined;
        ownerReferences?: readonly object[] | null | undefined;
    };
}
interface OwnedKind<T = any> {
    readonly kind: DeclaredKind<T> | KindRef<T>;
    readonly when?: readonly Predicate<T>[] | undefined;
}
interface OwnerReference {
    apiVersion: string;
    kind: string;
    name: string;
    uid: string;
    controller?: boolean | undefined;
    blockOwnerDeletion?: boolean | undefined;
}
interface OwnerReference$1 {
    kind: string;
    name: string;
    uid: string;
    apiVersion: string;
    controller?: boolean | undefined;
    blockOwnerDeletion?: boolean | undefined;
}
interface ParamKind {
    apiVersion?: string | undefined;
    kind?: string | undefined;
}
interface ParamRef {
    name?: string | undefined;
    namespace?: string | undefined;
    selector?: LabelSelector | undefined;
    parameterNotFoundAction?: string | undefined;
}
interface ParentReference {
    group?: string | undefined;
    resource: string;
    namespace?: string | undefined;
    name: string;
}
interface ParentReferenceApply {
    group?: string | undefined;
    resource?: string | undefined;
    namespace?: string | undefined;
    name?: string | undefined;
}
interface PartitionTypeStatus {
    type: string;
    total: number;
    allocatable: number;
    attribute: string;
}
type PatchBody<Merge, Strategic, Type extends PatchType> = Type extends 'json' ? readonly JsonPatchOperation[] : Type extends 'strategic' ? Strategic : Merge | readonly JsonPatchOperation[];
interface PatchOptions<Type extends PatchType = PatchType> extends WriteOptions {
    readonly type?: Type | undefined;
}
type PatchType = 'merge' | 'json' | 'strategic';
type Patched<T> = T extends readonly unknown[] ? T : T extends object ? MergePatch<T> : T;
declare class Path {
    #private;
    private constructor();
    static of(...names: string[]): Path;
    child(name: string, ...more: string[]): Path;
    index(i: number): Path;
    key(key: string): Path;
    toString(): string;
}
interface PermissionRule {
    readonly apiGroups?: readonly string[] | undefined;
    readonly resources?: readonly string[] | undefined;
    readonly resourceNames?: readonly string[] | undefined;
    readonly nonResourceURLs?: readonly string[] | undefined;
    readonly verbs: readonly string[];
}
interface PersistentVolume {
    kind: 'PersistentVolume';
    apiVersion: 'v1';
    metadata: ObjectMetadata;
    spec: PersistentVolumeSpec;
    status: PersistentVolumeStatus;
}
interface PersistentVolumeApply {
    kind?: 'PersistentVolume' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: PersistentVolumeSpecApply | undefined;
    status?: PersistentVolumeStatus | undefined;
}
interface PersistentVolumeClaim {
    kind: 'PersistentVolumeClaim';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    spec: PersistentVolumeClaimSpec$1;
    status: PersistentVolumeClaimStatus;
}
interface PersistentVolumeClaimApply {
    kind?: 'PersistentVolumeClaim' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: PersistentVolumeClaimSpecApply | undefined;
    status?: PersistentVolumeClaimStatus | undefined;
}
interface PersistentVolumeClaimCondition {
    type: string;
    status: string;
    lastProbeTime: string | null;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface PersistentVolumeClaimDraft {
    kind?: 'PersistentVolumeClaim' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec: PersistentVolumeClaimSpecDraft;
    status?: PersistentVolumeClaimStatus | undefined;
}
interface PersistentVolumeClaimSpec {
    accessModes?: string[] | undefined;
    resources: VolumeResourceRequirements;
    volumeName?: string | undefined;
    selector?: LabelSelector$1 | undefined;
    storageClassName?: string | undefined;
    volumeMode?: string | undefined;
    dataSource?: TypedLocalObjectReference | undefined;
    dataSourceRef?: TypedObjectReference | undefined;
    volumeAttributesClassName?: string | undefined;
}
interface PersistentVolumeClaimSpec$1 {
    accessModes: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[];
    resources: VolumeResourceRequirements$1;
    volumeName?: string | undefined;
    selector?: LabelSelector | undefined;
    storageClassName?: string | undefined;
    volumeMode?: 'Block' | 'Filesystem' | undefined;
    dataSource?: TypedLocalObjectReference$1 | undefined;
    dataSourceRef?: TypedObjectReference$1 | undefined;
    volumeAttributesClassName?: string | undefined;
}
interface PersistentVolumeClaimSpecApply {
    accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[] | undefined;
    resources?: VolumeResourceRequirementsDraft | undefined;
    volumeName?: string | undefined;
    selector?: LabelSelector | undefined;
    storageClassName?: string | undefined;
    volumeMode?: 'Block' | 'Filesystem' | undefined;
    dataSource?: TypedLocalObjectReferenceApply | undefined;
    dataSourceRef?: TypedObjectReferenceApply | undefined;
    volumeAttributesClassName?: string | undefined;
}
interface PersistentVolumeClaimSpecDraft {
    accessModes: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[];
    resources: VolumeResourceRequirementsDraft;
    volumeName?: string | undefined;
    selector?: LabelSelector | undefined;
    storageClassName?: string | undefined;
    volumeMode?: 'Block' | 'Filesystem' | undefined;
    dataSource?: TypedLocalObjectReferenceDraft | undefined;
    dataSourceRef?: TypedObjectReferenceDraft | undefined;
    volumeAttributesClassName?: string | undefined;
}
interface PersistentVolumeClaimStatus {
    phase?: 'Bound' | 'Lost' | 'Pending' | undefined;
    accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[] | undefined;
    capacity?: Record<string, string> | undefined;
    conditions?: PersistentVolumeClaimCondition[] | undefined;
    allocatedResources?: Record<string, string> | undefined;
    allocatedResourceStatuses?: Record<string, 'ControllerResizeInProgress' | 'ControllerResizeInfeasible' | 'NodeResizeInProgress' | 'NodeResizeInfeasible' | 'NodeResizePending'> | undefined;
    currentVolumeAttributesClassName?: string | undefined;
    modifyVolumeStatus?: ModifyVolumeStatus | undefined;
    healthStatus?: VolumeHealthStatus | undefined;
}
interface PersistentVolumeClaimTemplate {
    metadata: ObjectMeta;
    spec: PersistentVolumeClaimSpec;
}
interface PersistentVolumeClaimTemplate$1 {
    metadata: TemplateMetadata;
    spec: PersistentVolumeClaimSpec$1;
}
interface PersistentVolumeClaimTemplateApply {
    metadata?: MetadataDraft | undefined;
    spec?: PersistentVolumeClaimSpecApply | undefined;
}
interface PersistentVolumeClaimTemplateDraft {
    metadata?: MetadataDraft | undefined;
    spec: PersistentVolumeClaimSpecDraft;
}
interface PersistentVolumeClaimVolumeSource {
    claimName: string;
    readOnly?: boolean | undefined;
}
interface PersistentVolumeClaimVolumeSource$1 {
    claimName: string;
    readOnly?: boolean | undefined;
}
interface PersistentVolumeClaimVolumeSourceApply {
    claimName?: string | undefined;
    readOnly?: boolean | undefined;
}
interface PersistentVolumeDraft {
    kind?: 'PersistentVolume' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec: PersistentVolumeSpecDraft;
    status?: PersistentVolumeStatus | undefined;
}
interface PersistentVolumeSpec {
    capacity: Record<string, string>;
    gcePersistentDisk?: GCEPersistentDiskVolumeSource$1 | undefined;
    awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource$1 | undefined;
    hostPath?: HostPathVolumeSource$1 | undefined;
    glusterfs?: GlusterfsPersistentVolumeSource | undefined;
    nfs?: NFSVolumeSource$1 | undefined;
    rbd?: RBDPersistentVolumeSource | undefined;
    iscsi?: ISCSIPersistentVolumeSource | undefined;
    cinder?: CinderPersistentVolumeSource | undefined;
    cephfs?: CephFSPersistentVolumeSource | undefined;
    fc?: FCVolumeSource$1 | undefined;
    flocker?: FlockerVolumeSource$1 | undefined;
    flexVolume?: FlexPersistentVolumeSource | undefined;
    azureFile?: AzureFilePersistentVolumeSource | undefined;
    vsphereVolume?: VsphereVirtualDiskVolumeSource$1 | undefined;
    quobyte?: QuobyteVolumeSource$1 | undefined;
    azureDisk?: AzureDiskVolumeSource$1 | undefined;
    photonPersistentDisk?: PhotonPersistentDiskVolumeSource$1 | undefined;
    portworxVolume?: PortworxVolumeSource$1 | undefined;
    scaleIO?: ScaleIOPersistentVolumeSource | undefined;
    local?: LocalVolumeSource | undefined;
    storageos?: StorageOSPersistentVolumeSource | undefined;
    csi?: CSIPersistentVolumeSource | undefined;
    accessModes: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[];
    claimRef?: ObjectReference | undefined;
    persistentVolumeReclaimPolicy: 'Delete' | 'Recycle' | 'Retain';
    storageClassName?: string | undefined;
    mountOptions?: string[] | undefined;
    volumeMode: 'Block' | 'Filesystem';
    nodeAffinity?: VolumeNodeAffinity | undefined;
    volumeAttributesClassName?: string | undefined;
}
interface PersistentVolumeSpecApply {
    capacity?: Record<string, number | string> | undefined;
    gcePersistentDisk?: GCEPersistentDiskVolumeSourceApply | undefined;
    awsElasticBlockStore?: AWSElasticBlockStoreVolumeSourceApply | undefined;
    hostPath?: HostPathVolumeSourceApply | undefined;
    glusterfs?: GlusterfsPersistentVolumeSourceApply | undefined;
    nfs?: NFSVolumeSourceApply | undefined;
    rbd?: RBDPersistentVolumeSourceApply | undefined;
    iscsi?: ISCSIPersistentVolumeSourceApply | undefined;
    cinder?: CinderPersistentVolumeSourceApply | undefined;
    cephfs?: CephFSPersistentVolumeSourceApply | undefined;
    fc?: FCVolumeSource$1 | undefined;
    flocker?: FlockerVolumeSource$1 | undefined;
    flexVolume?: FlexPersistentVolumeSourceApply | undefined;
    azureFile?: AzureFilePersistentVolumeSourceApply | undefined;
    vsphereVolume?: VsphereVirtualDiskVolumeSourceApply | undefined;
    quobyte?: QuobyteVolumeSourceApply | undefined;
    azureDisk?: AzureDiskVolumeSourceApply | undefined;
    photonPersistentDisk?: PhotonPersistentDiskVolumeSourceApply | undefined;
    portworxVolume?: PortworxVolumeSourceApply | undefined;
    scaleIO?: ScaleIOPersistentVolumeSourceApply | undefined;
    local?: LocalVolumeSourceApply | undefined;
    storageos?: StorageOSPersistentVolumeSourceApply | undefined;
    csi?: CSIPersistentVolumeSourceApply | undefined;
    accessModes?: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[] | undefined;
    claimRef?: ObjectReferenceApply | undefined;
    persistentVolumeReclaimPolicy?: 'Delete' | 'Recycle' | 'Retain' | undefined;
    storageClassName?: string | undefined;
    mountOptions?: string[] | undefined;
    volumeMode?: 'Block' | 'Filesystem' | undefined;
    nodeAffinity?: VolumeNodeAffinityApply | undefined;
    volumeAttributesClassName?: string | undefined;
}
interface PersistentVolumeSpecDraft {
    capacity: Record<string, number | string>;
    gcePersistentDisk?: GCEPersistentDiskVolumeSource$1 | undefined;
    awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource$1 | undefined;
    hostPath?: HostPathVolumeSource$1 | undefined;
    glusterfs?: GlusterfsPersistentVolumeSource | undefined;
    nfs?: NFSVolumeSource$1 | undefined;
    rbd?: RBDPersistentVolumeSource | undefined;
    iscsi?: ISCSIPersistentVolumeSource | undefined;
    cinder?: CinderPersistentVolumeSource | undefined;
    cephfs?: CephFSPersistentVolumeSource | undefined;
    fc?: FCVolumeSource$1 | undefined;
    flocker?: FlockerVolumeSource$1 | undefined;
    flexVolume?: FlexPersistentVolumeSource | undefined;
    azureFile?: AzureFilePersistentVolumeSourceDraft | undefined;
    vsphereVolume?: VsphereVirtualDiskVolumeSource$1 | undefined;
    quobyte?: QuobyteVolumeSource$1 | undefined;
    azureDisk?: AzureDiskVolumeSource$1 | undefined;
    photonPersistentDisk?: PhotonPersistentDiskVolumeSource$1 | undefined;
    portworxVolume?: PortworxVolumeSource$1 | undefined;
    scaleIO?: ScaleIOPersistentVolumeSource | undefined;
    local?: LocalVolumeSource | undefined;
    storageos?: StorageOSPersistentVolumeSource | undefined;
    csi?: CSIPersistentVolumeSource | undefined;
    accessModes: ('ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod')[];
    claimRef?: ObjectReference | undefined;
    persistentVolumeReclaimPolicy?: 'Delete' | 'Recycle' | 'Retain' | undefined;
    storageClassName?: string | undefined;
    mountOptions?: string[] | undefined;
    volumeMode?: 'Block' | 'Filesystem' | undefined;
    nodeAffinity?: VolumeNodeAffinity | undefined;
    volumeAttributesClassName?: string | undefined;
}
interface PersistentVolumeStatus {
    phase: 'Available' | 'Bound' | 'Failed' | 'Pending' | 'Released';
    message?: string | undefined;
    reason?: string | undefined;
    lastPhaseTransitionTime?: string | undefined;
}
interface PhotonPersistentDiskVolumeSource {
    pdID: string;
    fsType?: string | undefined;
}
interface PhotonPersistentDiskVolumeSource$1 {
    pdID: string;
    fsType?: string | undefined;
}
interface PhotonPersistentDiskVolumeSourceApply {
    pdID?: string | undefined;
    fsType?: string | undefined;
}
interface Pod {
    kind: string | undefined;
    apiVersion: string | undefined;
    metadata: ObjectMeta;
    spec: PodSpec;
    status: PodStatus;
}
interface Pod$1 {
    kind: 'Pod';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    spec: PodSpec$1;
    status: PodStatus$1;
}
interface PodAffinity {
    requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
    preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
}
interface PodAffinity$1 {
    requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm$1[] | undefined;
    preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm$1[] | undefined;
}
interface PodAffinityTerm {
    labelSelector?: LabelSelector$1 | undefined;
    namespaces?: string[] | undefined;
    topologyKey: string;
    namespaceSelector?: LabelSelector$1 | undefined;
    matchLabelKeys?: string[] | undefined;
    mismatchLabelKeys?: string[] | undefined;
}
interface PodAffinityTerm$1 {
    labelSelector?: LabelSelector | undefined;
    namespaces?: string[] | undefined;
    topologyKey: string;
    namespaceSelector?: LabelSelector | undefined;
    matchLabelKeys?: string[] | undefined;
    mismatchLabelKeys?: string[] | undefined;
}
interface PodAntiAffinity {
    requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm[] | undefined;
    preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm[] | undefined;
}
interface PodAntiAffinity$1 {
    requiredDuringSchedulingIgnoredDuringExecution?: PodAffinityTerm$1[] | undefined;
    preferredDuringSchedulingIgnoredDuringExecution?: WeightedPodAffinityTerm$1[] | undefined;
}
interface PodApply {
    kind?: 'Pod' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: PodSpecApply | undefined;
    status?: PodStatus$1 | undefined;
}
interface PodCertificateProjection {
    signerName?: string | undefined;
    keyType?: string | undefined;
    maxExpirationSeconds?: number | undefined;
    credentialBundlePath?: string | undefined;
    keyPath?: string | undefined;
    certificateChainPath?: string | undefined;
    userAnnotations?: Record<string, string> | undefined;
    user?: number | undefined;
}
interface PodCertificateProjection$1 {
    signerName: string;
    keyType: string;
    maxExpirationSeconds?: number | undefined;
    credentialBundlePath?: string | undefined;
    keyPath?: string | undefined;
    certificateChainPath?: string | undefined;
    userAnnotations?: Record<string, string> | undefined;
    user?: number | undefined;
}
interface PodCertificateRequest {
    kind: 'PodCertificateRequest';
    apiVersion: 'certificates.k8s.io/v1';
    metadata: NamespacedMetadata;
    spec: PodCertificateRequestSpec;
    status: PodCertificateRequestStatus;
}
interface PodCertificateRequestApply {
    kind?: 'PodCertificateRequest' | undefined;
    apiVersion?: 'certificates.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: PodCertificateRequestSpecApply | undefined;
    status?: PodCertificateRequestStatus | undefined;
}
interface PodCertificateRequestDraft {
    kind?: 'PodCertificateRequest' | undefined;
    apiVersion?: 'certificates.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: PodCertificateRequestSpec;
    status?: PodCertificateRequestStatus | undefined;
}
interface PodCertificateRequestSpec {
    signerName: string;
    podName: string;
    podUID: string;
    serviceAccountName: string;
    serviceAccountUID: string;
    nodeName: string;
    nodeUID: string;
    maxExpirationSeconds?: number | undefined;
    unverifiedUserAnnotations?: Record<string, string> | undefined;
    stubPKCS10Request: string;
}
interface PodCertificateRequestSpecApply {
    signerName?: string | undefined;
    podName?: string | undefined;
    podUID?: string | undefined;
    serviceAccountName?: string | undefined;
    serviceAccountUID?: string | undefined;
    nodeName?: string | undefined;
    nodeUID?: string | undefined;
    maxExpirationSeconds?: number | undefined;
    unverifiedUserAnnotations?: Record<string, string> | undefined;
    stubPKCS10Request?: string | undefined;
}
interface PodCertificateRequestStatus {
    conditions?: Condition[] | undefined;
    certificateChain?: string | undefined;
    notBefore?: string | undefined;
    beginRefreshAt?: string | undefined;
    notAfter?: string | undefined;
}
interface PodCondition {
    type: string;
    status: string;
    lastProbeTime: string | null;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
    observedGeneration?: number | undefined;
}
interface PodCondition$1 {
    type: string;
    status: string;
    lastProbeTime: string | null;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
    observedGeneration?: number | undefined;
}
interface PodDNSConfig {
    nameservers?: string[] | undefined;
    searches?: string[] | undefined;
    options?: PodDNSConfigOption[] | undefined;
}
interface PodDNSConfig$1 {
    nameservers?: string[] | undefined;
    searches?: string[] | undefined;
    options?: PodDNSConfigOption$1[] | undefined;
}
interface PodDNSConfigOption {
    name?: string | undefined;
    value?: string | undefined;
}
interface PodDNSConfigOption$1 {
    name?: string | undefined;
    value?: string | undefined;
}
interface PodDisruptionBudget {
    kind: 'PodDisruptionBudget';
    apiVersion: 'policy/v1';
    metadata: NamespacedMetadata;
    spec: PodDisruptionBudgetSpec;
    status: PodDisruptionBudgetStatus;
}
interface PodDisruptionBudgetApply {
    kind?: 'PodDisruptionBudget' | undefined;
    apiVersion?: 'policy/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: PodDisruptionBudgetSpec | undefined;
    status?: PodDisruptionBudgetStatus | undefined;
}
interface PodDisruptionBudgetDraft {
    kind?: 'PodDisruptionBudget' | undefined;
    apiVersion?: 'policy/v1' | undefined;
    metadata: NewMetadata;
    spec?: PodDisruptionBudgetSpec | undefined;
    status?: PodDisruptionBudgetStatus | undefined;
}
interface PodDisruptionBudgetSpec {
    minAvailable?: number | string | undefined;
    selector?: LabelSelector | undefined;
    maxUnavailable?: number | string | undefined;
    unhealthyPodEvictionPolicy?: 'AlwaysAllow' | 'IfHealthyBudget' | (string & {}) | undefined;
}
interface PodDisruptionBudgetStatus {
    observedGeneration?: number | undefined;
    disruptedPods?: Record<string, string> | undefined;
    disruptionsAllowed: number;
    currentHealthy: number;
    desiredHealthy: number;
    expectedPods: number;
    conditions?: Condition[] | undefined;
}
interface PodDraft {
    kind?: 'Pod' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec: PodSpecDraft;
    status?: PodStatus$1 | undefined;
}
interface PodExtendedResourceClaimStatus {
    requestMappings: ContainerExtendedResourceRequest[] | null;
    resourceClaimName: string;
}
interface PodExtendedResourceClaimStatus$1 {
    requestMappings: ContainerExtendedResourceRequest$1[];
    resourceClaimName: string;
}
interface PodFailurePolicy {
    rules: PodFailurePolicyRule[];
}
interface PodFailurePolicyApply {
    rules?: PodFailurePolicyRuleDraft[] | undefined;
}
interface PodFailurePolicyDraft {
    rules: PodFailurePolicyRuleDraft[];
}
interface PodFailurePolicyOnExitCodesRequirement {
    containerName?: string | undefined;
    operator: 'In' | 'NotIn' | (string & {});
    values: number[];
}
interface PodFailurePolicyOnPodConditionsPattern {
    type: string;
    status: string;
}
interface PodFailurePolicyOnPodConditionsPatternDraft {
    type: string;
    status?: string | undefined;
}
interface PodFailurePolicyRule {
    action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore' | (string & {});
    onExitCodes?: PodFailurePolicyOnExitCodesRequirement | undefined;
    onPodConditions?: PodFailurePolicyOnPodConditionsPattern[] | undefined;
}
interface PodFailurePolicyRuleDraft {
    action: 'Count' | 'FailIndex' | 'FailJob' | 'Ignore' | (string & {});
    onExitCodes?: PodFailurePolicyOnExitCodesRequirement | undefined;
    onPodConditions?: PodFailurePolicyOnPodConditionsPatternDraft[] | undefined;
}
interface PodGroup {
    kind: 'PodGroup';
    apiVersion: 'scheduling.k8s.io/v1beta1';
    metadata: NamespacedMetadata;
    spec: PodGroupSpec;
    status: PodGroupStatus;
}
interface PodGroupApply {
    kind?: 'PodGroup' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: PodGroupSpecApply | undefined;
    status?: PodGroupStatus | undefined;
}
interface PodGroupDraft {
    kind?: 'PodGroup' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec: PodGroupSpec;
    status?: PodGroupStatus | undefined;
}
interface PodGroupResourceClaim {
    name: string;
    resourceClaimName?: string | undefined;
    resourceClaimTemplateName?: string | undefined;
}
interface PodGroupResourceClaimStatus {
    name: string;
    resourceClaimName?: string | undefined;
}
interface PodGroupSchedulingConstraints {
    topology?: TopologyConstraint[] | undefined;
}
interface PodGroupSchedulingPolicy {
    basic?: BasicSchedulingPolicy | undefined;
    gang?: GangSchedulingPolicy | undefined;
}
interface PodGroupSchedulingPolicyApply {
    basic?: BasicSchedulingPolicy | undefined;
    gang?: GangSchedulingPolicyApply | undefined;
}
interface PodGroupSpec {
    parentCompositePodGroupName?: string | undefined;
    workloadRef?: WorkloadReference | undefined;
    schedulingPolicy: PodGroupSchedulingPolicy;
    schedulingConstraints?: PodGroupSchedulingConstraints | undefined;
    resourceClaims?: PodGroupResourceClaim[] | undefined;
    disruptionMode?: DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface PodGroupSpecApply {
    parentCompositePodGroupName?: string | undefined;
    workloadRef?: WorkloadReferenceApply | undefined;
    schedulingPolicy?: PodGroupSchedulingPolicyApply | undefined;
    schedulingConstraints?: PodGroupSchedulingConstraints | undefined;
    resourceClaims?: PodGroupResourceClaim[] | undefined;
    disruptionMode?: DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface PodGroupStatus {
    conditions?: Condition[] | undefined;
    resourceClaimStatuses?: PodGroupResourceClaimStatus[] | undefined;
}
interface PodGroupTemplate {
    name: string;
    schedulingPolicy: PodGroupSchedulingPolicy;
    schedulingConstraints: PodGroupSchedulingConstraints | null;
    resourceClaims?: PodGroupResourceClaim[] | undefined;
    disruptionMode?: DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface PodGroupTemplateApply {
    name: string;
    schedulingPolicy?: PodGroupSchedulingPolicyApply | undefined;
    schedulingConstraints?: PodGroupSchedulingConstraints | null | undefined;
    resourceClaims?: PodGroupResourceClaim[] | undefined;
    disruptionMode?: DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface PodGroupTemplateDraft {
    name: string;
    schedulingPolicy: PodGroupSchedulingPolicy;
    schedulingConstraints?: PodGroupSchedulingConstraints | null | undefined;
    resourceClaims?: PodGroupResourceClaim[] | undefined;
    disruptionMode?: DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface PodIP {
    ip: string;
}
interface PodIP$1 {
    ip: string;
}
interface PodOS {
    name: string;
}
interface PodOS$1 {
    name: string;
}
interface PodOSApply {
    name?: string | undefined;
}
interface PodReadinessGate {
    conditionType: string;
}
interface PodReadinessGate$1 {
    conditionType: string;
}
interface PodResourceClaim {
    name: string;
    resourceClaimName?: string | undefined;
    resourceClaimTemplateName?: string | undefined;
}
interface PodResourceClaim$1 {
    name: string;
    resourceClaimName?: string | undefined;
    resourceClaimTemplateName?: string | undefined;
}
interface PodResourceClaimStatus {
    name: string;
    resourceClaimName?: string | undefined;
}
interface PodResourceClaimStatus$1 {
    name: string;
    resourceClaimName?: string | undefined;
}
interface PodSchedulingGate {
    name: string;
}
interface PodSchedulingGate$1 {
    name: string;
}
interface PodSchedulingGroup {
    podGroupName?: string | undefined;
}
interface PodSchedulingGroup$1 {
    podGroupName?: string | undefined;
}
interface PodSecurityContext {
    seLinuxOptions?: SELinuxOptions | undefined;
    runAsUser?: number | undefined;
    runAsNonRoot?: boolean | undefined;
    supplementalGroups?: number[] | undefined;
    fsGroup?: number | undefined;
    runAsGroup?: number | undefined;
    sysctls?: Sysctl[] | undefined;
    windowsOptions?: WindowsSecurityContextOptions | undefined;
    fsGroupChangePolicy?: string | undefined;
    seccompProfile?: SeccompProfile | undefined;
    appArmorProfile?: AppArmorProfile | undefined;
    supplementalGroupsPolicy?: string | undefined;
    seLinuxChangePolicy?: string | undefined;
}
interface PodSecurityContext$1 {
    seLinuxOptions?: SELinuxOptions$1 | undefined;
    runAsUser?: number | undefined;
    runAsNonRoot?: boolean | undefined;
    supplementalGroups?: number[] | undefined;
    fsGroup?: number | undefined;
    runAsGroup?: number | undefined;
    sysctls?: Sysctl$1[] | undefined;
    windowsOptions?: WindowsSecurityContextOptions$1 | undefined;
    fsGroupChangePolicy?: 'Always' | 'OnRootMismatch' | undefined;
    seccompProfile?: SeccompProfile$1 | undefined;
    appArmorProfile?: AppArmorProfile$1 | undefined;
    supplementalGroupsPolicy?: 'Merge' | 'Strict' | undefined;
    seLinuxChangePolicy?: string | undefined;
}
interface PodSecurityContextApply {
    seLinuxOptions?: SELinuxOptions$1 | undefined;
    runAsUser?: number | undefined;
    runAsNonRoot?: boolean | undefined;
    supplementalGroups?: number[] | undefined;
    fsGroup?: number | undefined;
    runAsGroup?: number | undefined;
    sysctls?: Sysctl$1[] | undefined;
    windowsOptions?: WindowsSecurityContextOptions$1 | undefined;
    fsGroupChangePolicy?: 'Always' | 'OnRootMismatch' | undefined;
    seccompProfile?: SeccompProfileApply | undefined;
    appArmorProfile?: AppArmorProfileApply | undefined;
    supplementalGroupsPolicy?: 'Merge' | 'Strict' | undefined;
    seLinuxChangePolicy?: string | undefined;
}
interface PodSpec {
    volumes?: Volume[] | undefined;
    containers: Container[] | null;
    restartPolicy?: string | undefined;
    terminationGracePeriodSeconds?: number | undefined;
    activeDeadlineSeconds?: number | undefined;
    dnsPolicy?: string | undefined;
    nodeSelector?: Record<string, string> | undefined;
    serviceAccountName?: string | undefined;
    serviceAccount?: string | undefined;
    nodeName?: string | undefined;
    hostNetwork?: boolean | undefined;
    hostPID?: boolean | undefined;
    hostIPC?: boolean | undefined;
    securityContext?: PodSecurityContext | undefined;
    imagePullSecrets?: LocalObjectReference[] | undefined;
    hostname?: string | undefined;
    subdomain?: string | undefined;
    affinity?: Affinity | undefined;
    schedulerName?: string | undefined;
    initContainers?: Container[] | undefined;
    automountServiceAccountToken?: boolean | undefined;
    tolerations?: Toleration[] | undefined;
    hostAliases?: HostAlias[] | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    dnsConfig?: PodDNSConfig | undefined;
    shareProcessNamespace?: boolean | undefined;
    readinessGates?: PodReadinessGate[] | undefined;
    runtimeClassName?: string | undefined;
    enableServiceLinks?: boolean | undefined;
    preemptionPolicy?: string | undefined;
    overhead?: Record<string, string> | undefined;
    topologySpreadConstraints?: TopologySpreadConstraint[] | undefined;
    ephemeralContainers?: EphemeralContainer[] | undefined;
    setHostnameAsFQDN?: boolean | undefined;
    os?: PodOS | undefined;
    hostUsers?: boolean | undefined;
    schedulingGates?: PodSchedulingGate[] | undefined;
    resourceClaims?: PodResourceClaim[] | undefined;
    resources?: ResourceRequirements | undefined;
    hostnameOverride?: string | undefined;
    schedulingGroup?: PodSchedulingGroup | undefined;
    evictionResponders?: EvictionResponder[] | undefined;
}
interface PodSpec$1 {
    volumes?: Volume$1[] | undefined;
    containers: Container$1[];
    restartPolicy: 'Always' | 'Never' | 'OnFailure';
    terminationGracePeriodSeconds: number;
    activeDeadlineSeconds?: number | undefined;
    dnsPolicy: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None';
    nodeSelector?: Record<string, string> | undefined;
    serviceAccountName?: string | undefined;
    serviceAccount?: string | undefined;
    nodeName?: string | undefined;
    hostNetwork?: boolean | undefined;
    hostPID?: boolean | undefined;
    hostIPC?: boolean | undefined;
    securityContext: PodSecurityContext$1;
    imagePullSecrets?: LocalObjectReference$1[] | undefined;
    hostname?: string | undefined;
    subdomain?: string | undefined;
    affinity?: Affinity$1 | undefined;
    schedulerName: string;
    initContainers?: Container$1[] | undefined;
    automountServiceAccountToken?: boolean | undefined;
    tolerations?: Toleration$1[] | undefined;
    hostAliases?: HostAlias$1[] | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    dnsConfig?: PodDNSConfig$1 | undefined;
    shareProcessNamespace?: boolean | undefined;
    readinessGates?: PodReadinessGate$1[] | undefined;
    runtimeClassName?: string | undefined;
    enableServiceLinks?: boolean | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    overhead?: Record<string, string> | undefined;
    topologySpreadConstraints?: TopologySpreadConstraint$1[] | undefined;
    ephemeralContainers?: EphemeralContainer$1[] | undefined;
    setHostnameAsFQDN?: boolean | undefined;
    os?: PodOS$1 | undefined;
    hostUsers?: boolean | undefined;
    schedulingGates?: PodSchedulingGate$1[] | undefined;
    resourceClaims?: PodResourceClaim$1[] | undefined;
    resources?: ResourceRequirements$1 | undefined;
    hostnameOverride?: string | undefined;
    schedulingGroup?: PodSchedulingGroup$1 | undefined;
    evictionResponders?: EvictionResponder$1[] | undefined;
}
interface PodSpecApply {
    volumes?: VolumeApply[] | undefined;
    containers?: ContainerApply[] | undefined;
    restartPolicy?: 'Always' | 'Never' | 'OnFailure' | undefined;
    terminationGracePeriodSeconds?: number | undefined;
    activeDeadlineSeconds?: number | undefined;
    dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None' | undefined;
    nodeSelector?: Record<string, string> | undefined;
    serviceAccountName?: string | undefined;
    serviceAccount?: string | undefined;
    nodeName?: string | undefined;
    hostNetwork?: boolean | undefined;
    hostPID?: boolean | undefined;
    hostIPC?: boolean | undefined;
    securityContext?: PodSecurityContextApply | undefined;
    imagePullSecrets?: LocalObjectReference$1[] | undefined;
    hostname?: string | undefined;
    subdomain?: string | undefined;
    affinity?: AffinityApply | undefined;
    schedulerName?: string | undefined;
    initContainers?: ContainerApply[] | undefined;
    automountServiceAccountToken?: boolean | undefined;
    tolerations?: Toleration$1[] | undefined;
    hostAliases?: HostAlias$1[] | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    dnsConfig?: PodDNSConfig$1 | undefined;
    shareProcessNamespace?: boolean | undefined;
    readinessGates?: PodReadinessGate$1[] | undefined;
    runtimeClassName?: string | undefined;
    enableServiceLinks?: boolean | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    overhead?: Record<string, number | string> | undefined;
    topologySpreadConstraints?: TopologySpreadConstraintApply[] | undefined;
    ephemeralContainers?: EphemeralContainerApply[] | undefined;
    setHostnameAsFQDN?: boolean | undefined;
    os?: PodOSApply | undefined;
    hostUsers?: boolean | undefined;
    schedulingGates?: PodSchedulingGate$1[] | undefined;
    resourceClaims?: PodResourceClaim$1[] | undefined;
    resources?: ResourceRequirementsDraft | undefined;
    hostnameOverride?: string | undefined;
    schedulingGroup?: PodSchedulingGroup$1 | undefined;
    evictionResponders?: EvictionResponderApply[] | undefined;
}
interface PodSpecDraft {
    volumes?: VolumeDraft[] | undefined;
    containers: ContainerDraft[];
    restartPolicy?: 'Always' | 'Never' | 'OnFailure' | undefined;
    terminationGracePeriodSeconds?: number | undefined;
    activeDeadlineSeconds?: number | undefined;
    dnsPolicy?: 'ClusterFirst' | 'ClusterFirstWithHostNet' | 'Default' | 'None' | undefined;
    nodeSelector?: Record<string, string> | undefined;
    serviceAccountName?: string | undefined;
    serviceAccount?: string | undefined;
    nodeName?: string | undefined;
    hostNetwork?: boolean | undefined;
    hostPID?: boolean | undefined;
    hostIPC?: boolean | undefined;
    securityContext?: PodSecurityContext$1 | undefined;
    imagePullSecrets?: LocalObjectReference$1[] | undefined;
    hostname?: string | undefined;
    subdomain?: string | undefined;
    affinity?: Affinity$1 | undefined;
    schedulerName?: string | undefined;
    initContainers?: ContainerDraft[] | undefined;
    automountServiceAccountToken?: boolean | undefined;
    tolerations?: Toleration$1[] | undefined;
    hostAliases?: HostAlias$1[] | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    dnsConfig?: PodDNSConfig$1 | undefined;
    shareProcessNamespace?: boolean | undefined;
    readinessGates?: PodReadinessGate$1[] | undefined;
    runtimeClassName?: string | undefined;
    enableServiceLinks?: boolean | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    overhead?: Record<string, number | string> | undefined;
    topologySpreadConstraints?: TopologySpreadConstraint$1[] | undefined;
    ephemeralContainers?: EphemeralContainerDraft[] | undefined;
    setHostnameAsFQDN?: boolean | undefined;
    os?: PodOS$1 | undefined;
    hostUsers?: boolean | undefined;
    schedulingGates?: PodSchedulingGate$1[] | undefined;
    resourceClaims?: PodResourceClaim$1[] | undefined;
    resources?: ResourceRequirementsDraft | undefined;
    hostnameOverride?: string | undefined;
    schedulingGroup?: PodSchedulingGroup$1 | undefined;
    evictionResponders?: EvictionResponder$1[] | undefined;
}
interface PodStatus {
    phase?: string | undefined;
    conditions?: PodCondition[] | undefined;
    message?: string | undefined;
    reason?: string | undefined;
    hostIP?: string | undefined;
    podIP?: string | undefined;
    startTime?: string | null | undefined;
    containerStatuses?: ContainerStatus[] | undefined;
    qosClass?: string | undefined;
    initContainerStatuses?: ContainerStatus[] | undefined;
    nominatedNodeName?: string | undefined;
    podIPs?: PodIP[] | undefined;
    ephemeralContainerStatuses?: ContainerStatus[] | undefined;
    resize?: string | undefined;
    resourceClaimStatuses?: PodResourceClaimStatus[] | undefined;
    hostIPs?: HostIP[] | undefined;
    observedGeneration?: number | undefined;
    extendedResourceClaimStatus?: PodExtendedResourceClaimStatus | undefined;
    allocatedResources?: Record<string, string> | undefined;
    resources?: ResourceRequirements | undefined;
    nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus[] | undefined;
    volumeHealth?: PodVolumeHealth[] | undefined;
}
interface PodStatus$1 {
    phase: 'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown';
    conditions?: PodCondition$1[] | undefined;
    message?: string | undefined;
    reason?: string | undefined;
    hostIP?: string | undefined;
    podIP?: string | undefined;
    startTime?: string | undefined;
    containerStatuses?: ContainerStatus$1[] | undefined;
    qosClass: 'BestEffort' | 'Burstable' | 'Guaranteed';
    initContainerStatuses?: ContainerStatus$1[] | undefined;
    nominatedNodeName?: string | undefined;
    podIPs?: PodIP$1[] | undefined;
    ephemeralContainerStatuses?: ContainerStatus$1[] | undefined;
    resize?: string | undefined;
    resourceClaimStatuses?: PodResourceClaimStatus$1[] | undefined;
    hostIPs?: HostIP$1[] | undefined;
    observedGeneration?: number | undefined;
    extendedResourceClaimStatus?: PodExtendedResourceClaimStatus$1 | undefined;
    allocatedResources?: Record<string, string> | undefined;
    resources?: ResourceRequirements$1 | undefined;
    nodeAllocatableResourceClaimStatuses?: NodeAllocatableResourceClaimStatus$1[] | undefined;
    volumeHealth?: PodVolumeHealth$1[] | undefined;
}
interface PodTemplate {
    kind: 'PodTemplate';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    template: PodTemplateSpec;
}
interface PodTemplateApply {
    kind?: 'PodTemplate' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    template?: PodTemplateSpecApply | undefined;
}
interface PodTemplateDraft {
    kind?: 'PodTemplate' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    template: PodTemplateSpecDraft;
}
interface PodTemplateSpec {
    metadata: TemplateMetadata;
    spec: PodSpec$1;
}
interface PodTemplateSpecApply {
    metadata?: MetadataDraft | undefined;
    spec?: PodSpecApply | undefined;
}
interface PodTemplateSpecDraft {
    metadata?: MetadataDraft | undefined;
    spec: PodSpecDraft;
}
interface PodVolumeHealth {
    name: string;
    healthConditions?: VolumeHealthCondition[] | undefined;
    lastTransitionTime: string | null;
}
interface PodVolumeHealth$1 {
    name: string;
    healthConditions?: VolumeHealthCondition$1[] | undefined;
    lastTransitionTime: string | null;
}
interface PodsMetricSource {
    metric: MetricIdentifier;
    target: MetricTarget;
}
interface PodsMetricSourceDraft {
    metric: MetricIdentifier;
    target: MetricTargetDraft;
}
interface PodsMetricStatus {
    metric: MetricIdentifier;
    current: MetricValueStatus;
}
interface Policy {
    readonly rules?: readonly PolicyRule[] | undefined;
    readonly omitStages?: readonly Stage[] | undefined;
    readonly omitManagedFields?: boolean | undefined;
}
interface PolicyRule {
    readonly level: keyof typeof AuditLevel;
    readonly users?: readonly string[] | undefined;
    readonly userGroups?: readonly string[] | undefined;
    readonly verbs?: readonly string[] | undefined;
    readonly resources?: readonly GroupResources[] | undefined;
    readonly namespaces?: readonly string[] | undefined;
    readonly nonResourceURLs?: readonly string[] | undefined;
    readonly omitStages?: readonly Stage[] | undefined;
    readonly omitManagedFields?: boolean | undefined;
}
interface PolicyRule$1 {
    verbs: string[];
    apiGroups?: string[] | undefined;
    resources?: string[] | undefined;
    resourceNames?: string[] | undefined;
    nonResourceURLs?: string[] | undefined;
}
interface PolicyRulesWithSubjects {
    subjects: Subject[];
    resourceRules?: ResourcePolicyRule[] | undefined;
    nonResourceRules?: NonResourcePolicyRule[] | undefined;
}
interface PolicyRulesWithSubjectsDraft {
    subjects: Subject[];
    resourceRules?: ResourcePolicyRuleDraft[] | undefined;
    nonResourceRules?: NonResourcePolicyRule[] | undefined;
}
interface PoolStatus {
    driver: string;
    poolName: string;
    nodeName?: string | undefined;
    totalDevices?: number | undefined;
    allocatedDevices?: number | undefined;
    availableDevices?: number | undefined;
    unavailableDevices?: number | undefined;
    resourceSliceCount?: number | undefined;
    generation: number;
    validationError?: string | undefined;
    partitionSummary?: PartitionTypeStatus[] | undefined;
    shareableSummary?: ShareableSummaryStatus | undefined;
}
interface PortForward extends AsyncDisposable {
    readonly port: number;
    close(): Promise<void>;
}
interface PortForwardOptions {
    readonly namespace?: string | undefined;
    readonly localPort?: number | undefined;
    readonly address?: string | undefined;
    readonly onError?: ((error: Error) => void) | undefined;
}
interface PortStatus {
    port: number;
    protocol: 'SCTP' | 'TCP' | 'UDP';
    error?: string | undefined;
}
interface PortworxVolumeSource {
    volumeID: string;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
}
interface PortworxVolumeSource$1 {
    volumeID: string;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
}
interface PortworxVolumeSourceApply {
    volumeID?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
}
interface Preconditions {
    uid?: string | undefined;
    resourceVersion?: string | undefined;
}
type Predicate<T = any> = (change: ObjectChange<T>) => boolean;
interface PreferredSchedulingTerm {
    weight: number;
    preference: NodeSelectorTerm;
}
interface PreferredSchedulingTerm$1 {
    weight: number;
    preference: NodeSelectorTerm$1;
}
type Present<P, S, F extends Form> = F extends 'answer' ? {
    [K in keyof P]: P[K] extends {
        readonly default: unknown;
    } ? K : K extends RequiredOf<S> ? K : never;
}[keyof P] : {
    [K in keyof P]: P[K] extends {
        readonly default: unknown;
    } ? never : K extends RequiredOf<S> ? K : never;
}[keyof P];
interface PriorityClass {
    kind: 'PriorityClass';
    apiVersion: 'scheduling.k8s.io/v1';
    metadata: ObjectMetadata;
    value: number;
    globalDefault?: boolean | undefined;
    description?: string | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface PriorityClassApply {
    kind?: 'PriorityClass' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    value?: number | undefined;
    globalDefault?: boolean | undefined;
    description?: string | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface PriorityClassDraft {
    kind?: 'PriorityClass' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    value?: number | undefined;
    globalDefault?: boolean | undefined;
    description?: string | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface PriorityLevelConfiguration {
    kind: 'PriorityLevelConfiguration';
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: PriorityLevelConfigurationSpec;
    status: PriorityLevelConfigurationStatus;
}
interface PriorityLevelConfigurationApply {
    kind?: 'PriorityLevelConfiguration' | undefined;
    apiVersion?: 'flowcontrol.apiserver.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: PriorityLevelConfigurationSpecApply | undefined;
    status?: PriorityLevelConfigurationStatus | undefined;
}
interface PriorityLevelConfigurationCondition {
    type: string;
    status?: string | undefined;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface PriorityLevelConfigurationDraft {
    kind?: 'PriorityLevelConfiguration' | undefined;
    apiVersion?: 'flowcontrol.apiserver.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: PriorityLevelConfigurationSpecDraft;
    status?: PriorityLevelConfigurationStatus | undefined;
}
interface PriorityLevelConfigurationReference {
    name: string;
}
interface PriorityLevelConfigurationReferenceApply {
    name?: string | undefined;
}
interface PriorityLevelConfigurationSpec {
    type: string;
    limited?: LimitedPriorityLevelConfiguration | undefined;
    exempt?: ExemptPriorityLevelConfiguration | undefined;
}
interface PriorityLevelConfigurationSpecApply {
    type?: string | undefined;
    limited?: LimitedPriorityLevelConfigurationApply | undefined;
    exempt?: ExemptPriorityLevelConfiguration | undefined;
}
interface PriorityLevelConfigurationSpecDraft {
    type: string;
    limited?: LimitedPriorityLevelConfigurationDraft | undefined;
    exempt?: ExemptPriorityLevelConfiguration | undefined;
}
interface PriorityLevelConfigurationStatus {
    conditions?: PriorityLevelConfigurationCondition[] | undefined;
}
interface Probe {
    exec?: ExecAction | undefined;
    httpGet?: HTTPGetAction | undefined;
    tcpSocket?: TCPSocketAction | undefined;
    grpc?: GRPCAction | undefined;
    initialDelaySeconds?: number | undefined;
    timeoutSeconds?: number | undefined;
    periodSeconds?: number | undefined;
    successThreshold?: number | undefined;
    failureThreshold?: number | undefined;
    terminationGracePeriodSeconds?: number | undefined;
}
interface Probe$1 {
    exec?: ExecAction$1 | undefined;
    httpGet?: HTTPGetAction$1 | undefined;
    tcpSocket?: TCPSocketAction$1 | undefined;
    grpc?: GRPCAction$1 | undefined;
    initialDelaySeconds?: number | undefined;
    timeoutSeconds: number;
    periodSeconds: number;
    successThreshold: number;
    failureThreshold: number;
    terminationGracePeriodSeconds?: number | undefined;
}
interface ProbeApply {
    exec?: ExecAction$1 | undefined;
    httpGet?: HTTPGetActionApply | undefined;
    tcpSocket?: TCPSocketActionApply | undefined;
    grpc?: GRPCActionApply | undefined;
    initialDelaySeconds?: number | undefined;
    timeoutSeconds?: number | undefined;
    periodSeconds?: number | undefined;
    successThreshold?: number | undefined;
    failureThreshold?: number | undefined;
    terminationGracePeriodSeconds?: number | undefined;
}
interface ProbeDraft {
    exec?: ExecAction$1 | undefined;
    httpGet?: HTTPGetAction$1 | undefined;
    tcpSocket?: TCPSocketAction$1 | undefined;
    grpc?: GRPCActionDraft | undefined;
    initialDelaySeconds?: number | undefined;
    timeoutSeconds?: number | undefined;
    periodSeconds?: number | undefined;
    successThreshold?: number | undefined;
    failureThreshold?: number | undefined;
    terminationGracePeriodSeconds?: number | undefined;
}
interface ProgramOptions {
    readonly kinds?: readonly OwnKind[] | undefined;
    readonly authenticators?: readonly TokenAuthenticator[] | undefined;
    readonly authorizers?: readonly Authorizer[] | undefined;
    readonly admissionPlugins?: readonly AdmissionPlugin[] | undefined;
    readonly reconcilers?: readonly Reconciler[] | undefined;
    readonly simulate?: boolean | SimulateOptions | undefined;
    readonly store?: Store | undefined;
    readonly flags?: Readonly<Record<string, string>> | undefined;
    readonly processMetrics?: boolean | undefined;
    readonly log?: Logger | undefined;
    readonly recorder?: boolean | RecorderOptions | undefined;
    readonly seed?: string | undefined;
    readonly clock?: Clock | undefined;
    readonly listen?: boolean | undefined;
    readonly unref?: boolean | undefined;
    readonly auditPolicy?: Policy | undefined;
    readonly auditWrite?: ((event: any) => void) | undefined;
}
interface ProjectedVolumeSource {
    sources: VolumeProjection[] | null;
    defaultMode?: number | undefined;
    defaultUser?: number | undefined;
}
interface ProjectedVolumeSource$1 {
    sources: VolumeProjection$1[] | null;
    defaultMode?: number | undefined;
    defaultUser?: number | undefined;
}
interface ProjectedVolumeSourceDraft {
    sources?: VolumeProjectionDraft[] | null | undefined;
    defaultMode?: number | undefined;
    defaultUser?: number | undefined;
}
interface QueuingConfiguration {
    queues: number;
    handSize: number;
    queueLengthLimit: number;
}
interface QueuingConfigurationDraft {
    queues?: number | undefined;
    handSize?: number | undefined;
    queueLengthLimit?: number | undefined;
}
interface QuobyteVolumeSource {
    registry: string;
    volume: string;
    readOnly?: boolean | undefined;
    user?: string | undefined;
    group?: string | undefined;
    tenant?: string | undefined;
}
interface QuobyteVolumeSource$1 {
    registry: string;
    volume: string;
    readOnly?: boolean | undefined;
    user?: string | undefined;
    group?: string | undefined;
    tenant?: string | undefined;
}
interface QuobyteVolumeSourceApply {
    registry?: string | undefined;
    volume?: string | undefined;
    readOnly?: boolean | undefined;
    user?: string | undefined;
    group?: string | undefined;
    tenant?: string | undefined;
}
interface RBDPersistentVolumeSource {
    monitors: string[];
    image: string;
    fsType?: string | undefined;
    pool?: string | undefined;
    user?: string | undefined;
    keyring?: string | undefined;
    secretRef?: SecretReference | undefined;
    readOnly?: boolean | undefined;
}
interface RBDPersistentVolumeSourceApply {
    monitors?: string[] | undefined;
    image?: string | undefined;
    fsType?: string | undefined;
    pool?: string | undefined;
    user?: string | undefined;
    keyring?: string | undefined;
    secretRef?: SecretReference | undefined;
    readOnly?: boolean | undefined;
}
interface RBDVolumeSource {
    monitors: string[] | null;
    image: string;
    fsType?: string | undefined;
    pool?: string | undefined;
    user?: string | undefined;
    keyring?: string | undefined;
    secretRef?: LocalObjectReference | undefined;
    readOnly?: boolean | undefined;
}
interface RBDVolumeSource$1 {
    monitors: string[];
    image: string;
    fsType?: string | undefined;
    pool?: string | undefined;
    user?: string | undefined;
    keyring?: string | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    readOnly?: boolean | undefined;
}
interface RBDVolumeSourceApply {
    monitors?: string[] | undefined;
    image?: string | undefined;
    fsType?: string | undefined;
    pool?: string | undefined;
    user?: string | undefined;
    keyring?: string | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    readOnly?: boolean | undefined;
}
interface ReadOptions {
    readonly caller?: Caller | undefined;
    readonly revision?: number | undefined;
    readonly marked?: boolean | undefined;
}
interface ReconcileContext {
    readonly client: KubeClient;
    readonly cache: Cache;
    readonly request: ReconcileRequest;
    readonly signal: AbortSignal;
    readonly log: Logger;
    event(object: KubeObject$1, type: 'Normal' | 'Warning', reason: string, message: string): void;
    now(): number;
}
interface ReconcileRequest {
    readonly name: string;
    readonly namespace?: string | undefined;
}
type ReconcileResult = {
    readonly requeueAfter?: number | undefined;
} | undefined | void;
interface Reconciler<T extends KubeObject$1 = any> {
    readonly name?: string | undefined;
    readonly for: DeclaredKind<T> | KindRef<T>;
    readonly when?: readonly Predicate<T>[] | undefined;
    readonly owns?: readonly (DeclaredKind | KindRef | OwnedKind)[] | undefined;
    readonly watches?: readonly WatchedKind[] | undefined;
    readonly cache?: readonly CachedKind[] | undefined;
    readonly user?: (Omit<UserInfo$2, 'groups'> & {
        readonly groups?: readonly string[] | undefined;
    }) | undefined;
    readonly workers?: number | undefined;
    readonly timeout?: number | undefined;
    readonly resync?: number | undefined;
    readonly finalizer?: string | undefined;
    reconcile(object: T, context: ReconcileContext): Promise<ReconcileResult> | ReconcileResult;
    finalize?(object: T, context: ReconcileContext): Promise<ReconcileResult> | ReconcileResult;
    deleted?(request: ReconcileRequest, context: ReconcileContext): Promise<ReconcileResult> | ReconcileResult;
    recoverable?(error: unknown): boolean;
}
interface RecordedRequest {
    readonly number: number;
    readonly auditId: string;
    readonly time: string;
    readonly method: string;
    readonly url: string;
    readonly verb: string;
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
    readonly user: string;
    readonly groups: readonly string[];
    readonly impersonated?: string;
    readonly userAgent: string;
    readonly authorization?: {
        readonly allowed: boolean;
        readonly reason: string;
        readonly error?: string;
    };
    readonly admission: readonly RecordedStep[];
    readonly writes: readonly RecordedWrite[];
    readonly warnings: readonly string[];
    readonly faults: readonly string[];
    readonly status: number;
    readonly message?: string;
    readonly milliseconds: number;
    readonly isOpen: boolean;
    readonly parts: Readonly<Record<string, number>>;
    readonly spans: readonly {
        readonly name: string;
        readonly depth: number;
        readonly milliseconds: number;
        readonly error?: string;
    }[];
}
interface RecordedStep {
    readonly kind: 'plugin' | 'policy' | 'webhook';
    readonly phase: 'admit' | 'validate';
    readonly name: string;
    readonly depth: number;
    readonly milliseconds: number;
    readonly diff?: string;
    readonly answer?: string;
    readonly cost?: number;
    readonly expressions?: readonly ExpressionCost[];
    readonly error?: string;
}
interface RecordedWrite {
    readonly resource: string;
    readonly namespace: string;
    readonly name: string;
    readonly action: 'create' | 'update' | 'delete';
    readonly dryRun: boolean;
    readonly diff: string;
}
interface Recorder {
    mark(): number;
    requests(selection?: RecorderSelection): readonly RecordedRequest[];
    text(view?: RecorderView): string;
    json(view?: RecorderView): string;
    html(selection?: RecorderSelection): string;
    clear(): void;
}
interface RecorderOptions {
    readonly requests?: number | undefined;
    readonly bytes?: number | undefined;
}
interface RecorderSelection {
    readonly since?: number | undefined;
}
interface RecorderView extends RecorderSelection {
    readonly timings?: boolean | undefined;
}
interface ReplicaSet {
    kind: 'ReplicaSet';
    apiVersion: 'apps/v1';
    metadata: NamespacedMetadata;
    spec: ReplicaSetSpec;
    status: ReplicaSetStatus;
}
interface ReplicaSetApply {
    kind?: 'ReplicaSet' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ReplicaSetSpecApply | undefined;
    status?: ReplicaSetStatus | undefined;
}
interface ReplicaSetCondition {
    type: string;
    status: string;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface ReplicaSetDraft {
    kind?: 'ReplicaSet' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: NewMetadata;
    spec: ReplicaSetSpecDraft;
    status?: ReplicaSetStatus | undefined;
}
interface ReplicaSetSpec {
    replicas: number;
    selector: LabelSelector;
    template: PodTemplateSpec;
    minReadySeconds?: number | undefined;
}
interface ReplicaSetSpecApply {
    replicas?: number | undefined;
    selector?: LabelSelector | undefined;
    template?: PodTemplateSpecApply | undefined;
    minReadySeconds?: number | undefined;
}
interface ReplicaSetSpecDraft {
    replicas?: number | undefined;
    selector: LabelSelector;
    template: PodTemplateSpecDraft;
    minReadySeconds?: number | undefined;
}
interface ReplicaSetStatus {
    replicas: number;
    fullyLabeledReplicas?: number | undefined;
    observedGeneration?: number | undefined;
    readyReplicas?: number | undefined;
    availableReplicas?: number | undefined;
    conditions?: ReplicaSetCondition[] | undefined;
    terminatingReplicas?: number | undefined;
}
interface ReplicationController {
    kind: 'ReplicationController';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    spec: ReplicationControllerSpec;
    status: ReplicationControllerStatus;
}
interface ReplicationControllerApply {
    kind?: 'ReplicationController' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ReplicationControllerSpecApply | undefined;
    status?: ReplicationControllerStatus | undefined;
}
interface ReplicationControllerCondition {
    type: string;
    status: string;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface ReplicationControllerDraft {
    kind?: 'ReplicationController' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec?: ReplicationControllerSpecDraft | undefined;
    status?: ReplicationControllerStatus | undefined;
}
interface ReplicationControllerSpec {
    replicas: number;
    selector?: Record<string, string> | undefined;
    template?: PodTemplateSpec | undefined;
    minReadySeconds?: number | undefined;
}
interface ReplicationControllerSpecApply {
    replicas?: number | undefined;
    selector?: Record<string, string> | undefined;
    template?: PodTemplateSpecApply | undefined;
    minReadySeconds?: number | undefined;
}
interface ReplicationControllerSpecDraft {
    replicas?: number | undefined;
    selector?: Record<string, string> | undefined;
    template?: PodTemplateSpecDraft | undefined;
    minReadySeconds?: number | undefined;
}
interface ReplicationControllerStatus {
    replicas: number;
    fullyLabeledReplicas?: number | undefined;
    observedGeneration?: number | undefined;
    readyReplicas?: number | undefined;
    availableReplicas?: number | undefined;
    conditions?: ReplicationControllerCondition[] | undefined;
}
interface Requester {
    name: string;
    intent: 'Eviction' | 'Withdrawn';
}
type RequiredOf<S> = S extends {
    readonly required: readonly (infer Name)[];
} ? Name : never;
interface ResourceAttributes {
    namespace?: string | undefined;
    verb?: string | undefined;
    group?: string | undefined;
    version?: string | undefined;
    resource?: string | undefined;
    subresource?: string | undefined;
    name?: string | undefined;
    fieldSelector?: FieldSelectorAttributes | undefined;
    labelSelector?: LabelSelectorAttributes | undefined;
}
interface ResourceClaim {
    name: string;
    request?: string | undefined;
}
interface ResourceClaim$1 {
    name: string;
    request?: string | undefined;
}
interface ResourceClaimConsumerReference {
    apiGroup?: string | undefined;
    resource: string;
    name: string;
    uid: string;
}
interface ResourceClaimSpec {
    devices: DeviceClaim;
}
interface ResourceClaimSpecDraft {
    devices?: DeviceClaimDraft | undefined;
}
interface ResourceClaimStatus {
    allocation?: AllocationResult | undefined;
    reservedFor?: ResourceClaimConsumerReference[] | undefined;
    devices?: AllocatedDeviceStatus[] | undefined;
}
interface ResourceClaimTemplate {
    kind: 'ResourceClaimTemplate';
    apiVersion: 'resource.k8s.io/v1';
    metadata: NamespacedMetadata;
    spec: ResourceClaimTemplateSpec;
}
interface ResourceClaimTemplateApply {
    kind?: 'ResourceClaimTemplate' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ResourceClaimTemplateSpecDraft | undefined;
}
interface ResourceClaimTemplateDraft {
    kind?: 'ResourceClaimTemplate' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: ResourceClaimTemplateSpecDraft | undefined;
}
interface ResourceClaimTemplateSpec {
    metadata: TemplateMetadata;
    spec: ResourceClaimSpec;
}
interface ResourceClaimTemplateSpecDraft {
    metadata?: MetadataDraft | undefined;
    spec?: ResourceClaimSpecDraft | undefined;
}
interface ResourceClient<T extends KubeObject$1, Types extends AnyTypes = TypesFor<T>> {
    get(object: ObjectName, options?: ObjectOptions): Promise<T>;
    find(object: ObjectName, options?: ObjectOptions): Promise<T | undefined>;
    list(options?: ListSelection): Promise<KubeList<T>>;
    create(object: Types['create'], options?: WriteOptions): Promise<T>;
    update(object: Types['update'], options?: WriteOptions): Promise<T>;
    patch<Type extends PatchType = 'merge'>(object: ObjectName, patch: PatchBody<Types['merge'], Types['strategic'], Type>, options?: PatchOptions<Type>): Promise<T>;
    apply(object: Types['apply'], options?: ApplyOptions): Promise<T>;
    delete(object: ObjectName, options?: ObjectOptions & DeleteOptions): Promise<void>;
    deleteCollection(options?: Selection & DeleteOptions): Promise<void>;
    watch(options?: WatchSelection): AsyncIterableIterator<WatchEvent<T>>;
    informer(options?: InformerOptions<T>): Informer<T>;
    subresource<Name extends keyof Types['subresources'] & string>(name: Name): Types['subresources'][Name];
}
interface ResourceFieldSelector {
    containerName?: string | undefined;
    resource: string;
    divisor?: string | undefined;
}
interface ResourceFieldSelector$1 {
    containerName?: string | undefined;
    resource: string;
    divisor?: string | undefined;
}
interface ResourceFieldSelectorApply {
    containerName?: string | undefined;
    resource?: string | undefined;
    divisor?: number | string | undefined;
}
interface ResourceFieldSelectorDraft {
    containerName?: string | undefined;
    resource: string;
    divisor?: number | string | undefined;
}
interface ResourceHealth {
    resourceID: string;
    health?: string | undefined;
    message?: string | undefined;
}
interface ResourceHealth$1 {
    resourceID: string;
    health?: string | undefined;
    message?: string | undefined;
}
interface ResourceMetricSource {
    name: string;
    target: MetricTarget;
}
interface ResourceMetricSourceDraft {
    name: string;
    target: MetricTargetDraft;
}
interface ResourceMetricStatus {
    name: string;
    current: MetricValueStatus;
}
interface ResourcePolicyRule {
    verbs: string[];
    apiGroups: string[];
    resources: string[];
    clusterScope?: boolean | undefined;
    namespaces: string[] | null;
}
interface ResourcePolicyRuleDraft {
    verbs: string[];
    apiGroups: string[];
    resources: string[];
    clusterScope?: boolean | undefined;
    namespaces?: string[] | null | undefined;
}
interface ResourcePool {
    name: string;
    generation: number;
    resourceSliceCount: number;
}
interface ResourcePoolApply {
    name?: string | undefined;
    generation?: number | undefined;
    resourceSliceCount?: number | undefined;
}
interface ResourcePoolStatusRequest {
    kind: 'ResourcePoolStatusRequest';
    apiVersion: 'resource.k8s.io/v1alpha3';
    metadata: ObjectMetadata;
    spec: ResourcePoolStatusRequestSpec;
    status?: ResourcePoolStatusRequestStatus | undefined;
}
interface ResourcePoolStatusRequestApply {
    kind?: 'ResourcePoolStatusRequest' | undefined;
    apiVersion?: 'resource.k8s.io/v1alpha3' | undefined;
    metadata: AppliedMetadata;
    spec?: ResourcePoolStatusRequestSpecApply | undefined;
    status?: ResourcePoolStatusRequestStatus | undefined;
}
interface ResourcePoolStatusRequestDraft {
    kind?: 'ResourcePoolStatusRequest' | undefined;
    apiVersion?: 'resource.k8s.io/v1alpha3' | undefined;
    metadata: NewMetadata;
    spec: ResourcePoolStatusRequestSpec;
    status?: ResourcePoolStatusRequestStatus | undefined;
}
interface ResourcePoolStatusRequestSpec {
    driver: string;
    poolName?: string | undefined;
    limit?: number | undefined;
    defaultPartitionTypeAttribute?: string | undefined;
}
interface ResourcePoolStatusRequestSpecApply {
    driver?: string | undefined;
    poolName?: string | undefined;
    limit?: number | undefined;
    defaultPartitionTypeAttribute?: string | undefined;
}
interface ResourcePoolStatusRequestStatus {
    pools?: PoolStatus[] | undefined;
    conditions?: Condition[] | undefined;
    poolCount: number;
}
interface ResourceQuota {
    kind: 'ResourceQuota';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    spec: ResourceQuotaSpec;
    status: ResourceQuotaStatus;
}
interface ResourceQuotaApply {
    kind?: 'ResourceQuota' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ResourceQuotaSpecDraft | undefined;
    status?: ResourceQuotaStatus | undefined;
}
interface ResourceQuotaDraft {
    kind?: 'ResourceQuota' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec?: ResourceQuotaSpecDraft | undefined;
    status?: ResourceQuotaStatus | undefined;
}
interface ResourceQuotaSpec {
    hard?: Record<string, string> | undefined;
    scopes?: ('BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating' | 'VolumeAttributesClass')[] | undefined;
    scopeSelector?: ScopeSelector | undefined;
}
interface ResourceQuotaSpecDraft {
    hard?: Record<string, number | string> | undefined;
    scopes?: ('BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating' | 'VolumeAttributesClass')[] | undefined;
    scopeSelector?: ScopeSelector | undefined;
}
interface ResourceQuotaStatus {
    hard?: Record<string, string> | undefined;
    used?: Record<string, string> | undefined;
}
interface ResourceRequirements {
    limits?: Record<string, string> | undefined;
    requests?: Record<string, string> | undefined;
    claims?: ResourceClaim[] | undefined;
}
interface ResourceRequirements$1 {
    limits?: Record<string, string> | undefined;
    requests?: Record<string, string> | undefined;
    claims?: ResourceClaim$1[] | undefined;
}
interface ResourceRequirementsDraft {
    limits?: Record<string, number | string> | undefined;
    requests?: Record<string, number | string> | undefined;
    claims?: ResourceClaim$1[] | undefined;
}
interface ResourceRule {
    readonly verbs: readonly string[];
    readonly apiGroups?: readonly string[] | undefined;
    readonly resources?: readonly string[] | undefined;
    readonly resourceNames?: readonly string[] | undefined;
}
interface ResourceRule$1 {
    verbs: string[];
    apiGroups?: string[] | undefined;
    resources?: string[] | undefined;
    resourceNames?: string[] | undefined;
}
interface ResourceSlice {
    kind: 'ResourceSlice';
    apiVersion: 'resource.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: ResourceSliceSpec;
}
interface ResourceSliceApply {
    kind?: 'ResourceSlice' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ResourceSliceSpecApply | undefined;
}
interface ResourceSliceDraft {
    kind?: 'ResourceSlice' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: ResourceSliceSpecDraft;
}
interface ResourceSliceSpec {
    driver: string;
    pool: ResourcePool;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    devices?: Device[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: CounterSet[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface ResourceSliceSpecApply {
    driver?: string | undefined;
    pool?: ResourcePoolApply | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelectorApply | undefined;
    allNodes?: boolean | undefined;
    devices?: DeviceDraft[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: CounterSetDraft[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface ResourceSliceSpecDraft {
    driver: string;
    pool: ResourcePool;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    devices?: DeviceDraft[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: CounterSetDraft[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface ResourceStatus {
    name: string;
    resources?: ResourceHealth[] | undefined;
}
interface ResourceStatus$1 {
    name: string;
    resources?: ResourceHealth$1[] | undefined;
}
interface ResponderStatus {
    name: string;
    startTime?: string | undefined;
    heartbeatTime?: string | undefined;
    expectedCompletionTime?: string | undefined;
    completionTime?: string | undefined;
    message?: string | undefined;
}
interface RetryOptions {
    readonly attempts?: number | undefined;
    readonly delay?: number | undefined;
}
interface Role {
    kind: 'Role';
    apiVersion: 'rbac.authorization.k8s.io/v1';
    metadata: NamespacedMetadata;
    rules: PolicyRule$1[] | null;
}
interface RoleApply {
    kind?: 'Role' | undefined;
    apiVersion?: 'rbac.authorization.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    rules?: PolicyRule$1[] | null | undefined;
}
interface RoleBinding {
    kind: 'RoleBinding';
    apiVersion: 'rbac.authorization.k8s.io/v1';
    metadata: NamespacedMetadata;
    subjects?: V1Subject[] | undefined;
    roleRef: RoleRef;
}
interface RoleBindingApply {
    kind?: 'RoleBinding' | undefined;
    apiVersion?: 'rbac.authorization.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    subjects?: V1Subject[] | undefined;
    roleRef?: RoleRefApply | undefined;
}
interface RoleBindingDraft {
    kind?: 'RoleBinding' | undefined;
    apiVersion?: 'rbac.authorization.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    subjects?: V1Subject[] | undefined;
    roleRef: RoleRefDraft;
}
interface RoleDraft {
    kind?: 'Role' | undefined;
    apiVersion?: 'rbac.authorization.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    rules?: PolicyRule$1[] | null | undefined;
}
interface RoleRef {
    apiGroup: string;
    kind: string;
    name: string;
}
interface RoleRefApply {
    apiGroup?: string | undefined;
    kind?: string | undefined;
    name?: string | undefined;
}
interface RoleRefDraft {
    apiGroup?: string | undefined;
    kind: string;
    name: string;
}
interface RollingUpdateDaemonSet {
    maxUnavailable?: number | string | undefined;
    maxSurge?: number | string | undefined;
}
interface RollingUpdateDeployment {
    maxUnavailable?: number | string | undefined;
    maxSurge?: number | string | undefined;
}
interface RollingUpdateStatefulSetStrategy {
    partition?: number | undefined;
    maxUnavailable?: number | string | undefined;
}
interface RuleWithOperations {
    operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[] | undefined;
    apiGroups?: string[] | undefined;
    apiVersions?: string[] | undefined;
    resources?: string[] | undefined;
    scope?: '*' | 'Cluster' | 'Namespaced' | undefined;
}
interface RunOptions {
    readonly client: KubeClient;
    readonly signal?: AbortSignal | undefined;
    readonly namespace?: string | undefined;
    readonly identity?: string | undefined;
    readonly leaderElection?: boolean | undefined;
    readonly health?: HealthOptions | undefined;
    readonly metrics?: EndpointOptions | undefined;
    readonly webhooks?: WebhookOptions | undefined;
    readonly install?: boolean | undefined;
    readonly gracefulShutdownTimeout?: number | undefined;
    readonly clock?: Clock | undefined;
    readonly log?: Logger | undefined;
}
interface RunningOperator {
    readonly ready: Promise<void>;
    readonly elected: Promise<void>;
    readonly stopped: Promise<void>;
    readonly urls: {
        readonly health?: string | undefined;
        readonly metrics?: string | undefined;
        readonly webhooks?: string | undefined;
    };
    metrics(): Promise<string>;
    stop(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
interface RuntimeClass {
    kind: 'RuntimeClass';
    apiVersion: 'node.k8s.io/v1';
    metadata: ObjectMetadata;
    handler: string;
    overhead?: Overhead | undefined;
    scheduling?: Scheduling | undefined;
}
interface RuntimeClassApply {
    kind?: 'RuntimeClass' | undefined;
    apiVersion?: 'node.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    handler?: string | undefined;
    overhead?: OverheadDraft | undefined;
    scheduling?: Scheduling | undefined;
}
interface RuntimeClassDraft {
    kind?: 'RuntimeClass' | undefined;
    apiVersion?: 'node.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    handler: string;
    overhead?: OverheadDraft | undefined;
    scheduling?: Scheduling | undefined;
}
interface SELinuxOptions {
    user?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    level?: string | undefined;
}
interface SELinuxOptions$1 {
    user?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    level?: string | undefined;
}
interface Scale {
    kind?: string | undefined;
    apiVersion?: string | undefined;
    metadata: TemplateMetadata;
    spec: ScaleSpec;
    status: ScaleStatus;
}
interface ScaleIOPersistentVolumeSource {
    gateway: string;
    system: string;
    secretRef: SecretReference;
    sslEnabled?: boolean | undefined;
    protectionDomain?: string | undefined;
    storagePool?: string | undefined;
    storageMode?: string | undefined;
    volumeName?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
}
interface ScaleIOPersistentVolumeSourceApply {
    gateway?: string | undefined;
    system?: string | undefined;
    secretRef?: SecretReference | undefined;
    sslEnabled?: boolean | undefined;
    protectionDomain?: string | undefined;
    storagePool?: string | undefined;
    storageMode?: string | undefined;
    volumeName?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
}
interface ScaleIOVolumeSource {
    gateway: string;
    system: string;
    secretRef?: LocalObjectReference | undefined;
    sslEnabled?: boolean | undefined;
    protectionDomain?: string | undefined;
    storagePool?: string | undefined;
    storageMode?: string | undefined;
    volumeName?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
}
interface ScaleIOVolumeSource$1 {
    gateway: string;
    system: string;
    secretRef: LocalObjectReference$1;
    sslEnabled?: boolean | undefined;
    protectionDomain?: string | undefined;
    storagePool?: string | undefined;
    storageMode?: string | undefined;
    volumeName?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
}
interface ScaleIOVolumeSourceApply {
    gateway?: string | undefined;
    system?: string | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
    sslEnabled?: boolean | undefined;
    protectionDomain?: string | undefined;
    storagePool?: string | undefined;
    storageMode?: string | undefined;
    volumeName?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
}
interface ScaleSpec {
    replicas?: number | undefined;
}
interface ScaleStatus {
    replicas: number;
    selector?: string | undefined;
}
interface Scheduling {
    nodeSelector?: Record<string, string> | undefined;
    tolerations?: Toleration$1[] | undefined;
}
type SchemaIn<Version> = Version extends {
    readonly schema: infer S;
} ? S extends {
    readonly openAPIV3Schema: infer Inner;
} ? Inner : S : unknown;
type SchemaObject<S> = 0 extends 1 & FieldsBySchema<S, 'answer'> ? any : {
    kind: string;
    apiVersion: string;
    metadata: NamespacedMetadata;
} & FieldsBySchema<S, 'answer'>;
interface SchemaTypes<S, Version> extends KindTypes<SchemaObject<S>, {
    kind?: string;
    apiVersion?: string;
    metadata: NewMetadata;
} & FieldsBySchema<S, 'create'>, {
    kind?: string;
    apiVersion?: string;
    metadata: NamedMetadata;
} & Draft<FieldsBySchema<S, 'create'>>, SubresourcesOf<Version, SchemaObject<S>>> {
}
interface ScopeSelector {
    matchExpressions?: ScopedResourceSelectorRequirement[] | undefined;
}
interface ScopedResourceSelectorRequirement {
    scopeName: 'BestEffort' | 'CrossNamespacePodAffinity' | 'NotBestEffort' | 'NotTerminating' | 'PriorityClass' | 'Terminating' | 'VolumeAttributesClass';
    operator: 'DoesNotExist' | 'Exists' | 'In' | 'NotIn';
    values?: string[] | undefined;
}
interface SeccompProfile {
    type: string;
    localhostProfile?: string | undefined;
}
interface SeccompProfile$1 {
    type: 'Localhost' | 'RuntimeDefault' | 'Unconfined';
    localhostProfile?: string | undefined;
}
interface SeccompProfileApply {
    type?: 'Localhost' | 'RuntimeDefault' | 'Unconfined' | undefined;
    localhostProfile?: string | undefined;
}
interface Secret {
    kind: 'Secret';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    data?: Record<string, string> | undefined;
    type: string;
    stringData?: Record<string, string> | undefined;
    immutable?: boolean | undefined;
}
interface SecretApply {
    kind?: 'Secret' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    data?: Record<string, string> | undefined;
    type?: string | undefined;
    stringData?: Record<string, string> | undefined;
    immutable?: boolean | undefined;
}
interface SecretDraft {
    kind?: 'Secret' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    data?: Record<string, string> | undefined;
    type?: string | undefined;
    stringData?: Record<string, string> | undefined;
    immutable?: boolean | undefined;
}
interface SecretEnvSource {
    name?: string | undefined;
    optional?: boolean | undefined;
}
interface SecretEnvSource$1 {
    name?: string | undefined;
    optional?: boolean | undefined;
}
interface SecretKeySelector {
    name?: string | undefined;
    key: string;
    optional?: boolean | undefined;
}
interface SecretKeySelector$1 {
    name?: string | undefined;
    key: string;
    optional?: boolean | undefined;
}
interface SecretKeySelectorApply {
    name?: string | undefined;
    key?: string | undefined;
    optional?: boolean | undefined;
}
interface SecretProjection {
    name?: string | undefined;
    items?: KeyToPath[] | undefined;
    optional?: boolean | undefined;
}
interface SecretProjection$1 {
    name?: string | undefined;
    items?: KeyToPath$1[] | undefined;
    optional?: boolean | undefined;
}
interface SecretReference {
    name?: string | undefined;
    namespace?: string | undefined;
}
interface SecretVolumeSource {
    secretName?: string | undefined;
    items?: KeyToPath[] | undefined;
    defaultMode?: number | undefined;
    optional?: boolean | undefined;
    defaultUser?: number | undefined;
}
interface SecretVolumeSource$1 {
    secretName?: string | undefined;
    items?: KeyToPath$1[] | undefined;
    defaultMode?: number | undefined;
    optional?: boolean | undefined;
    defaultUser?: number | undefined;
}
interface SecurityContext {
    capabilities?: Capabilities | undefined;
    privileged?: boolean | undefined;
    seLinuxOptions?: SELinuxOptions | undefined;
    runAsUser?: number | undefined;
    runAsNonRoot?: boolean | undefined;
    readOnlyRootFilesystem?: boolean | undefined;
    allowPrivilegeEscalation?: boolean | undefined;
    runAsGroup?: number | undefined;
    procMount?: string | undefined;
    windowsOptions?: WindowsSecurityContextOptions | undefined;
    seccompProfile?: SeccompProfile | undefined;
    appArmorProfile?: AppArmorProfile | undefined;
}
interface SecurityContext$1 {
    capabilities?: Capabilities$1 | undefined;
    privileged?: boolean | undefined;
    seLinuxOptions?: SELinuxOptions$1 | undefined;
    runAsUser?: number | undefined;
    runAsNonRoot?: boolean | undefined;
    readOnlyRootFilesystem?: boolean | undefined;
    allowPrivilegeEscalation?: boolean | undefined;
    runAsGroup?: number | undefined;
    procMount?: 'Default' | 'Unmasked' | undefined;
    windowsOptions?: WindowsSecurityContextOptions$1 | undefined;
    seccompProfile?: SeccompProfile$1 | undefined;
    appArmorProfile?: AppArmorProfile$1 | undefined;
}
interface SecurityContextApply {
    capabilities?: Capabilities$1 | undefined;
    privileged?: boolean | undefined;
    seLinuxOptions?: SELinuxOptions$1 | undefined;
    runAsUser?: number | undefined;
    runAsNonRoot?: boolean | undefined;
    readOnlyRootFilesystem?: boolean | undefined;
    allowPrivilegeEscalation?: boolean | undefined;
    runAsGroup?: number | undefined;
    procMount?: 'Default' | 'Unmasked' | undefined;
    windowsOptions?: WindowsSecurityContextOptions$1 | undefined;
    seccompProfile?: SeccompProfileApply | undefined;
    appArmorProfile?: AppArmorProfileApply | undefined;
}
interface SelectableField {
    jsonPath: string;
}
interface SelectableField$1 {
    jsonPath: string;
}
interface Selection extends ObjectOptions {
    readonly labelSelector?: string | Readonly<Record<string, string>> | undefined;
    readonly fieldSelector?: string | Readonly<Record<string, string>> | undefined;
    readonly filter?: string | undefined;
}
interface SelfSubjectAccessReview {
    kind: 'SelfSubjectAccessReview';
    apiVersion: 'authorization.k8s.io/v1';
    metadata: MetadataDraft;
    spec: SelfSubjectAccessReviewSpec;
    status: SubjectAccessReviewStatus;
}
interface SelfSubjectAccessReviewApply {
    kind?: 'SelfSubjectAccessReview' | undefined;
    apiVersion?: 'authorization.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec?: SelfSubjectAccessReviewSpec | undefined;
    status?: SubjectAccessReviewStatus | undefined;
}
interface SelfSubjectAccessReviewDraft {
    kind?: 'SelfSubjectAccessReview' | undefined;
    apiVersion?: 'authorization.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec: SelfSubjectAccessReviewSpec;
    status?: SubjectAccessReviewStatus | undefined;
}
interface SelfSubjectAccessReviewSpec {
    resourceAttributes?: ResourceAttributes | undefined;
    nonResourceAttributes?: NonResourceAttributes | undefined;
}
interface SelfSubjectReview {
    kind: 'SelfSubjectReview';
    apiVersion: 'authentication.k8s.io/v1';
    metadata: MetadataDraft;
    status: SelfSubjectReviewStatus;
}
interface SelfSubjectReviewApply {
    kind?: 'SelfSubjectReview' | undefined;
    apiVersion?: 'authentication.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    status?: SelfSubjectReviewStatus | undefined;
}
interface SelfSubjectReviewDraft {
    kind?: 'SelfSubjectReview' | undefined;
    apiVersion?: 'authentication.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    status?: SelfSubjectReviewStatus | undefined;
}
interface SelfSubjectReviewStatus {
    userInfo: UserInfo$1;
}
interface SelfSubjectRulesReview {
    kind: 'SelfSubjectRulesReview';
    apiVersion: 'authorization.k8s.io/v1';
    metadata: MetadataDraft;
    spec: SelfSubjectRulesReviewSpec;
    status: SubjectRulesReviewStatus;
}
interface SelfSubjectRulesReviewApply {
    kind?: 'SelfSubjectRulesReview' | undefined;
    apiVersion?: 'authorization.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec?: SelfSubjectRulesReviewSpec | undefined;
    status?: SubjectRulesReviewStatus | undefined;
}
interface SelfSubjectRulesReviewDraft {
    kind?: 'SelfSubjectRulesReview' | undefined;
    apiVersion?: 'authorization.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec: SelfSubjectRulesReviewSpec;
    status?: SubjectRulesReviewStatus | undefined;
}
interface SelfSubjectRulesReviewSpec {
    namespace?: string | undefined;
}
interface ServerOptions extends FlagOptions, ProgramOptions {
}
interface ServerStorageVersion {
    apiServerID: string;
    encodingVersion: string;
    decodableVersions: string[];
    servedVersions?: string[] | undefined;
}
interface Service {
    kind: 'Service';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    spec: ServiceSpec;
    status: ServiceStatus;
}
interface ServiceAccount {
    kind: 'ServiceAccount';
    apiVersion: 'v1';
    metadata: NamespacedMetadata;
    secrets?: ObjectReference[] | undefined;
    imagePullSecrets?: LocalObjectReference$1[] | undefined;
    automountServiceAccountToken?: boolean | undefined;
}
interface ServiceAccountApply {
    kind?: 'ServiceAccount' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    secrets?: ObjectReferenceApply[] | undefined;
    imagePullSecrets?: LocalObjectReference$1[] | undefined;
    automountServiceAccountToken?: boolean | undefined;
}
interface ServiceAccountDraft {
    kind?: 'ServiceAccount' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    secrets?: ObjectReference[] | undefined;
    imagePullSecrets?: LocalObjectReference$1[] | undefined;
    automountServiceAccountToken?: boolean | undefined;
}
interface ServiceAccountReference {
    readonly serviceAccount: string;
}
interface ServiceAccountSubject {
    namespace: string;
    name: string;
}
interface ServiceAccountTokenProjection {
    audience?: string | undefined;
    expirationSeconds?: number | undefined;
    path: string;
    user?: number | undefined;
}
interface ServiceAccountTokenProjection$1 {
    audience?: string | undefined;
    expirationSeconds?: number | undefined;
    path: string;
    user?: number | undefined;
}
interface ServiceApply {
    kind?: 'Service' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ServiceSpecDraft | undefined;
    status?: ServiceStatus | undefined;
}
interface ServiceBackendPort {
    name?: string | undefined;
    number?: number | undefined;
}
interface ServiceCIDR {
    kind: 'ServiceCIDR';
    apiVersion: 'networking.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: ServiceCIDRSpec;
    status: ServiceCIDRStatus;
}
interface ServiceCIDRApply {
    kind?: 'ServiceCIDR' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ServiceCIDRSpec | undefined;
    status?: ServiceCIDRStatus | undefined;
}
interface ServiceCIDRDraft {
    kind?: 'ServiceCIDR' | undefined;
    apiVersion?: 'networking.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: ServiceCIDRSpec | undefined;
    status?: ServiceCIDRStatus | undefined;
}
interface ServiceCIDRSpec {
    cidrs?: string[] | undefined;
}
interface ServiceCIDRStatus {
    conditions?: Condition[] | undefined;
}
interface ServiceDraft {
    kind?: 'Service' | undefined;
    apiVersion?: 'v1' | undefined;
    metadata: NewMetadata;
    spec?: ServiceSpecDraft | undefined;
    status?: ServiceStatus | undefined;
}
interface ServicePort {
    name?: string | undefined;
    protocol: 'SCTP' | 'TCP' | 'UDP';
    port: number;
    targetPort?: number | string | undefined;
    nodePort?: number | undefined;
    appProtocol?: string | undefined;
}
interface ServicePortDraft {
    name?: string | undefined;
    protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
    port: number;
    targetPort?: number | string | undefined;
    nodePort?: number | undefined;
    appProtocol?: string | undefined;
}
interface ServiceReference {
    namespace: string;
    name: string;
    path?: string | undefined;
    port?: number | undefined;
}
interface ServiceReferenceApply {
    namespace?: string | undefined;
    name?: string | undefined;
    path?: string | undefined;
    port?: number | undefined;
}
interface ServiceSpec {
    ports?: ServicePort[] | undefined;
    selector?: Record<string, string> | undefined;
    clusterIP?: string | undefined;
    type: 'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort';
    externalIPs?: string[] | undefined;
    sessionAffinity: 'ClientIP' | 'None';
    loadBalancerIP?: string | undefined;
    loadBalancerSourceRanges?: string[] | undefined;
    externalName?: string | undefined;
    externalTrafficPolicy?: 'Cluster' | 'Local' | undefined;
    healthCheckNodePort?: number | undefined;
    publishNotReadyAddresses?: boolean | undefined;
    sessionAffinityConfig?: SessionAffinityConfig | undefined;
    ipFamilyPolicy?: 'PreferDualStack' | 'RequireDualStack' | 'SingleStack' | undefined;
    clusterIPs?: string[] | undefined;
    ipFamilies?: ('' | 'IPv4' | 'IPv6')[] | undefined;
    allocateLoadBalancerNodePorts?: boolean | undefined;
    loadBalancerClass?: string | undefined;
    internalTrafficPolicy?: 'Cluster' | 'Local' | undefined;
    trafficDistribution?: string | undefined;
}
interface ServiceSpecDraft {
    ports?: ServicePortDraft[] | undefined;
    selector?: Record<string, string> | undefined;
    clusterIP?: string | undefined;
    type?: 'ClusterIP' | 'ExternalName' | 'LoadBalancer' | 'NodePort' | undefined;
    externalIPs?: string[] | undefined;
    sessionAffinity?: 'ClientIP' | 'None' | undefined;
    loadBalancerIP?: string | undefined;
    loadBalancerSourceRanges?: string[] | undefined;
    externalName?: string | undefined;
    externalTrafficPolicy?: 'Cluster' | 'Local' | undefined;
    healthCheckNodePort?: number | undefined;
    publishNotReadyAddresses?: boolean | undefined;
    sessionAffinityConfig?: SessionAffinityConfig | undefined;
    ipFamilyPolicy?: 'PreferDualStack' | 'RequireDualStack' | 'SingleStack' | undefined;
    clusterIPs?: string[] | undefined;
    ipFamilies?: ('' | 'IPv4' | 'IPv6')[] | undefined;
    allocateLoadBalancerNodePorts?: boolean | undefined;
    loadBalancerClass?: string | undefined;
    internalTrafficPolicy?: 'Cluster' | 'Local' | undefined;
    trafficDistribution?: string | undefined;
}
interface ServiceStatus {
    loadBalancer: LoadBalancerStatus;
    conditions?: Condition[] | undefined;
}
interface SessionAffinityConfig {
    clientIP?: ClientIPConfig | undefined;
}
interface SetEntry {
    readonly operation?: 'apply' | 'create' | 'update' | 'patch' | 'delete' | undefined;
    readonly object: object;
    readonly subresource?: 'status' | undefined;
    readonly patch?: object | undefined;
    readonly patchType?: 'merge' | 'json' | 'strategic' | undefined;
    readonly options?: Omit<DeleteOptions, 'dryRun'> | undefined;
}
interface SetOptions {
    readonly namespace?: string | undefined;
    readonly dryRun?: boolean | undefined;
    readonly fieldManager?: string | undefined;
    readonly force?: boolean | undefined;
    readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}
interface SetResult {
    readonly metadata: {
        readonly resourceVersion?: string | undefined;
    };
    readonly items: readonly {
        readonly operation: NonNullable<SetEntry['operation']>;
        readonly result: 'created' | 'configured' | 'unchanged' | 'deleted' | 'deleting';
        readonly object?: UntypedObject | undefined;
        readonly warnings?: readonly string[] | undefined;
    }[];
}
interface ShardInfo {
    selector: string;
}
interface ShareableCapacityStatus {
    name: string;
    total: string;
    consumed: string;
    available: string;
}
interface ShareableSummaryStatus {
    fullyAvailableDevices: number;
    partiallyAvailableDevices: number;
    capacity?: ShareableCapacityStatus[] | undefined;
}
interface SharedInformers {
    of<V extends keyof BuiltinKinds, K extends keyof BuiltinKinds[V] & string>(apiVersion: V, kind: K): Informer<BuiltinKinds[V][K]>;
    of<T extends KubeObject$1 = UntypedObject>(kind: DeclaredKind<T> | KindRef<T>): Informer<T>;
    synced(): Promise<void>;
    stop(): void;
}
interface SimulateOptions {
    readonly behavior?: ((pod: Pod, container: Container) => Behavior | undefined) | undefined;
    readonly nodes?: number | undefined;
    readonly nodeCapacity?: Readonly<Record<string, string>> | undefined;
}
type SingleCompositeDisruptionMode = Record<string, never>;
type SingleDisruptionMode = Record<string, never>;
interface SleepAction {
    seconds: number;
}
interface SleepAction$1 {
    seconds: number;
}
interface SleepActionApply {
    seconds?: number | undefined;
}
interface Snapshot {
    fork(options?: ForkOptions): Promise<BinnacleServer>;
    save(path: string): Promise<void>;
    dispose(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
}
interface SnapshotList {
    readonly apiVersion: 'v1';
    readonly kind: 'List';
    readonly items: readonly UntypedObject[];
}
type Stage = (typeof stages)[number];
interface StandardSchema<Input = unknown, Output = unknown> {
    readonly '~standard': {
        readonly version: number;
        readonly vendor: string;
        readonly types?: {
            readonly input: Input;
            readonly output: Output;
        } | undefined;
        readonly jsonSchema?: JsonSchemaConverter | undefined;
    };
}
interface StatefulSet {
    kind: 'StatefulSet';
    apiVersion: 'apps/v1';
    metadata: NamespacedMetadata;
    spec: StatefulSetSpec;
    status: StatefulSetStatus;
}
interface StatefulSetApply {
    kind?: 'StatefulSet' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: StatefulSetSpecApply | undefined;
    status?: StatefulSetStatus | undefined;
}
interface StatefulSetCondition {
    type: string;
    status: string;
    lastTransitionTime: string | null;
    reason?: string | undefined;
    message?: string | undefined;
}
interface StatefulSetDraft {
    kind?: 'StatefulSet' | undefined;
    apiVersion?: 'apps/v1' | undefined;
    metadata: NewMetadata;
    spec: StatefulSetSpecDraft;
    status?: StatefulSetStatus | undefined;
}
interface StatefulSetOrdinals {
    start: number;
}
interface StatefulSetOrdinalsDraft {
    start?: number | undefined;
}
interface StatefulSetPersistentVolumeClaimRetentionPolicy {
    whenDeleted?: string | undefined;
    whenScaled?: string | undefined;
}
interface StatefulSetSpec {
    replicas: number;
    selector: LabelSelector;
    template: PodTemplateSpec;
    volumeClaimTemplates?: PersistentVolumeClaimDraft[] | undefined;
    serviceName: string;
    podManagementPolicy: 'OrderedReady' | 'Parallel';
    updateStrategy: StatefulSetUpdateStrategy;
    revisionHistoryLimit: number;
    minReadySeconds?: number | undefined;
    persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined;
    ordinals?: StatefulSetOrdinals | undefined;
}
interface StatefulSetSpecApply {
    replicas?: number | undefined;
    selector?: LabelSelector | undefined;
    template?: PodTemplateSpecApply | undefined;
    volumeClaimTemplates?: PersistentVolumeClaimDraft[] | undefined;
    serviceName?: string | undefined;
    podManagementPolicy?: 'OrderedReady' | 'Parallel' | undefined;
    updateStrategy?: StatefulSetUpdateStrategyDraft | undefined;
    revisionHistoryLimit?: number | undefined;
    minReadySeconds?: number | undefined;
    persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined;
    ordinals?: StatefulSetOrdinalsDraft | undefined;
}
interface StatefulSetSpecDraft {
    replicas?: number | undefined;
    selector: LabelSelector;
    template: PodTemplateSpecDraft;
    volumeClaimTemplates?: PersistentVolumeClaimDraft[] | undefined;
    serviceName?: string | undefined;
    podManagementPolicy?: 'OrderedReady' | 'Parallel' | undefined;
    updateStrategy?: StatefulSetUpdateStrategyDraft | undefined;
    revisionHistoryLimit?: number | undefined;
    minReadySeconds?: number | undefined;
    persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined;
    ordinals?: StatefulSetOrdinalsDraft | undefined;
}
interface StatefulSetStatus {
    observedGeneration?: number | undefined;
    replicas: number;
    readyReplicas?: number | undefined;
    currentReplicas?: number | undefined;
    updatedReplicas?: number | undefined;
    currentRevision?: string | undefined;
    updateRevision?: string | undefined;
    collisionCount?: number | undefined;
    conditions?: StatefulSetCondition[] | undefined;
    availableReplicas: number;
}
interface StatefulSetUpdateStrategy {
    type: 'OnDelete' | 'Recreate' | 'RollingUpdate';
    rollingUpdate?: RollingUpdateStatefulSetStrategy | undefined;
}
interface StatefulSetUpdateStrategyDraft {
    type?: 'OnDelete' | 'Recreate' | 'RollingUpdate' | undefined;
    rollingUpdate?: RollingUpdateStatefulSetStrategy | undefined;
}
interface Status {
    kind?: string | undefined;
    apiVersion?: string | undefined;
    metadata: ListMeta;
    status?: string | undefined;
    message?: string | undefined;
    reason?: string | undefined;
    details?: StatusDetails | undefined;
    code?: number | undefined;
}
interface Status$1 {
    kind: 'Status';
    apiVersion: 'v1';
    metadata: {
        continue?: string;
        resourceVersion?: string;
        remainingItemCount?: number;
    };
    status?: 'Success' | 'Failure';
    message?: string;
    reason?: string;
    details?: StatusDetails$1;
    code?: number;
}
interface StatusCause {
    reason?: string | undefined;
    message?: string | undefined;
    field?: string | undefined;
}
interface StatusCause$1 {
    reason?: string;
    message?: string;
    field?: string;
}
interface StatusDetails {
    name?: string | undefined;
    group?: string | undefined;
    kind?: string | undefined;
    causes?: StatusCause[] | undefined;
    retryAfterSeconds?: number | undefined;
    uid?: string | undefined;
}
interface StatusDetails$1 {
    name?: string;
    group?: string;
    kind?: string;
    uid?: string;
    causes?: StatusCause$1[];
    retryAfterSeconds?: number;
}
declare class StatusError extends Error {
    readonly status: Status$1;
    readonly headers: Record<string, string> | undefined;
    constructor(status: Status$1, headers?: Record<string, string>);
    get code(): number;
}
interface StorageClass {
    kind: 'StorageClass';
    apiVersion: 'storage.k8s.io/v1';
    metadata: ObjectMetadata;
    provisioner: string;
    parameters?: Record<string, string> | undefined;
    reclaimPolicy: 'Delete' | 'Recycle' | 'Retain';
    mountOptions?: string[] | undefined;
    allowVolumeExpansion?: boolean | undefined;
    volumeBindingMode: 'Immediate' | 'WaitForFirstConsumer';
    allowedTopologies?: TopologySelectorTerm[] | undefined;
}
interface StorageClassApply {
    kind?: 'StorageClass' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    provisioner?: string | undefined;
    parameters?: Record<string, string> | undefined;
    reclaimPolicy?: 'Delete' | 'Recycle' | 'Retain' | undefined;
    mountOptions?: string[] | undefined;
    allowVolumeExpansion?: boolean | undefined;
    volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer' | undefined;
    allowedTopologies?: TopologySelectorTerm[] | undefined;
}
interface StorageClassDraft {
    kind?: 'StorageClass' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    provisioner: string;
    parameters?: Record<string, string> | undefined;
    reclaimPolicy?: 'Delete' | 'Recycle' | 'Retain' | undefined;
    mountOptions?: string[] | undefined;
    allowVolumeExpansion?: boolean | undefined;
    volumeBindingMode?: 'Immediate' | 'WaitForFirstConsumer' | undefined;
    allowedTopologies?: TopologySelectorTerm[] | undefined;
}
interface StorageHealth {
    name: string;
    healthConditions?: StorageHealthCondition[] | undefined;
}
interface StorageHealthCondition {
    status: 'StorageDegraded' | 'StorageUnreachable';
    reason: string;
    message?: string | undefined;
    accessMode?: 'ReadOnlyMany' | 'ReadWriteMany' | 'ReadWriteOnce' | 'ReadWriteOncePod' | undefined;
    volumeMode?: 'Block' | 'Filesystem' | undefined;
    lastTransitionTime: string | null;
}
interface StorageOSPersistentVolumeSource {
    volumeName?: string | undefined;
    volumeNamespace?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: ObjectReference | undefined;
}
interface StorageOSPersistentVolumeSourceApply {
    volumeName?: string | undefined;
    volumeNamespace?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: ObjectReferenceApply | undefined;
}
interface StorageOSVolumeSource {
    volumeName?: string | undefined;
    volumeNamespace?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: LocalObjectReference | undefined;
}
interface StorageOSVolumeSource$1 {
    volumeName?: string | undefined;
    volumeNamespace?: string | undefined;
    fsType?: string | undefined;
    readOnly?: boolean | undefined;
    secretRef?: LocalObjectReference$1 | undefined;
}
interface StorageVersion {
    kind: 'StorageVersion';
    apiVersion: 'internal.apiserver.k8s.io/v1alpha1';
    metadata: ObjectMetadata;
    spec: StorageVersionSpec;
    status: StorageVersionStatus;
}
interface StorageVersionApply {
    kind?: 'StorageVersion' | undefined;
    apiVersion?: 'internal.apiserver.k8s.io/v1alpha1' | undefined;
    metadata: AppliedMetadata;
    spec?: StorageVersionSpec | undefined;
    status?: StorageVersionStatus | undefined;
}
interface StorageVersionCondition {
    type: string;
    status: string;
    observedGeneration?: number | undefined;
    lastTransitionTime: string | null;
    reason: string;
    message: string;
}
interface StorageVersionDraft {
    kind?: 'StorageVersion' | undefined;
    apiVersion?: 'internal.apiserver.k8s.io/v1alpha1' | undefined;
    metadata: NewMetadata;
    spec?: StorageVersionSpec | undefined;
    status?: StorageVersionStatus | undefined;
}
interface StorageVersionMigration {
    kind: 'StorageVersionMigration';
    apiVersion: 'storagemigration.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: StorageVersionMigrationSpec;
    status: StorageVersionMigrationStatus;
}
interface StorageVersionMigrationApply {
    kind?: 'StorageVersionMigration' | undefined;
    apiVersion?: 'storagemigration.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: StorageVersionMigrationSpecApply | undefined;
    status?: StorageVersionMigrationStatus | undefined;
}
interface StorageVersionMigrationDraft {
    kind?: 'StorageVersionMigration' | undefined;
    apiVersion?: 'storagemigration.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: StorageVersionMigrationSpec;
    status?: StorageVersionMigrationStatus | undefined;
}
interface StorageVersionMigrationSpec {
    resource: GroupResource;
}
interface StorageVersionMigrationSpecApply {
    resource?: GroupResourceApply | undefined;
}
interface StorageVersionMigrationStatus {
    conditions?: Condition[] | undefined;
    resourceVersion?: string | undefined;
}
type StorageVersionSpec = Record<string, never>;
interface StorageVersionStatus {
    storageVersions?: ServerStorageVersion[] | undefined;
    commonEncodingVersion?: string | undefined;
    conditions?: StorageVersionCondition[] | undefined;
}
interface Store {
    readonly root: string;
    readonly shared: boolean;
    readonly expires?: boolean;
    readonly singleWrites?: boolean;
    readonly seenRevision: number;
    currentRevision(): number | Promise<number>;
    get(key: string, options?: ReadOptions): Promise<KeyValue | undefined>;
    list(prefix: string, options?: ListOptions): Promise<ListResult>;
    commit(writes: readonly Write[], caller?: Caller): Promise<CommitResult>;
    watch(prefix: string, fromRevision: number, watcher: Watcher): Promise<WatchHandle>;
    isStale?(key: string): boolean | Promise<boolean>;
    readonly compactRevision?: number | undefined;
    compact(revision: number): Promise<void>;
    forget?(prefix: string, revision: number, chooses: (value: Buffer) => boolean): Promise<void>;
    health(timeoutMs?: number): Promise<void>;
    versions?(key: string, options: VersionsOptions): Promise<readonly KeyVersion[]>;
    readonly values?: StoredValues;
    image?(): Promise<StoreImage>;
    size?(): Promise<number>;
    close(): Promise<void>;
}
interface StoreEvent {
    readonly type: 'put' | 'delete';
    readonly key: string;
    readonly current: KeyValue | undefined;
    readonly previous: KeyValue | undefined;
    readonly revision: number;
    readonly attachment: unknown;
}
interface StoreImage {
    readonly revision: number;
    open(options?: OpenImage): Promise<Store>;
    dispose(): Promise<void>;
}
declare class StoreUnavailableError extends Error {
    constructor(message: string, options?: ErrorOptions);
}
interface StoredValues {
    scan(prefix: string, revision: number, take: (item: KeyValue) => void): Promise<void>;
    read(key: string, revision: number): Buffer;
    readonly last?: boolean | undefined;
    readonly cachedBytes?: number | undefined;
}
type StrategicPatch<T> = {
    [Field in keyof T]?: StrategicValue<T[Field]> | null | undefined;
} & Directives;
type StrategicValue<T> = T extends readonly (infer Item)[] ? StrategicValue<Item>[] : T extends object ? StrategicPatch<T> : T;
interface StreamedAnswer {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | string[]>>;
    next(): Promise<Buffer | undefined>;
    close(): void;
}
interface Subject {
    kind: string;
    user?: UserSubject | undefined;
    group?: GroupSubject | undefined;
    serviceAccount?: ServiceAccountSubject | undefined;
}
interface SubjectAccessReview {
    kind: 'SubjectAccessReview';
    apiVersion: 'authorization.k8s.io/v1';
    metadata: MetadataDraft;
    spec: SubjectAccessReviewSpec;
    status: SubjectAccessReviewStatus;
}
interface SubjectAccessReviewApply {
    kind?: 'SubjectAccessReview' | undefined;
    apiVersion?: 'authorization.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec?: SubjectAccessReviewSpec | undefined;
    status?: SubjectAccessReviewStatus | undefined;
}
interface SubjectAccessReviewDraft {
    kind?: 'SubjectAccessReview' | undefined;
    apiVersion?: 'authorization.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec: SubjectAccessReviewSpec;
    status?: SubjectAccessReviewStatus | undefined;
}
interface SubjectAccessReviewSpec {
    resourceAttributes?: ResourceAttributes | undefined;
    nonResourceAttributes?: NonResourceAttributes | undefined;
    user?: string | undefined;
    groups?: string[] | undefined;
    extra?: Record<string, string[]> | undefined;
    uid?: string | undefined;
}
interface SubjectAccessReviewStatus {
    allowed: boolean;
    reason?: string | undefined;
    evaluationError?: string | undefined;
    denied?: boolean | undefined;
}
interface SubjectRulesReviewStatus {
    resourceRules: ResourceRule$1[];
    nonResourceRules: NonResourceRule$1[];
    incomplete: boolean;
    evaluationError?: string | undefined;
}
interface SubresourceClient<T, Body = Draft<T>> {
    get(object: ObjectName, options?: ObjectOptions): Promise<T>;
    create(object: ObjectName, body: Body, options?: WriteOptions): Promise<T>;
    update(object: ObjectName, body: Body, options?: WriteOptions): Promise<T>;
    update(object: Body & Exclude<ObjectName, string>): Promise<T>;
    patch<Type extends PatchType = 'merge'>(object: ObjectName, patch: PatchBody<MergePatch<Body>, StrategicPatch<Body>, Type>, options?: PatchOptions<Type>): Promise<T>;
    apply(object: ObjectName, body: Body, options?: ApplyOptions): Promise<T>;
}
type SubresourcesOf<Version, T> = Version extends {
    readonly subresources: infer Subresources;
} ? Pick<OwnSubresources<T>, keyof Subresources & keyof OwnSubresources<T>> : Record<never, never>;
interface SuccessPolicy {
    rules: SuccessPolicyRule[];
}
interface SuccessPolicyApply {
    rules?: SuccessPolicyRule[] | undefined;
}
interface SuccessPolicyRule {
    succeededIndexes?: string | undefined;
    succeededCount?: number | undefined;
}
interface Sysctl {
    name: string;
    value: string;
}
interface Sysctl$1 {
    name: string;
    value: string;
}
interface TCPSocketAction {
    port: number | string;
    host?: string | undefined;
}
interface TCPSocketAction$1 {
    port: number | string;
    host?: string | undefined;
}
interface TCPSocketActionApply {
    port?: number | string | undefined;
    host?: string | undefined;
}
interface Taint {
    key: string;
    value?: string | undefined;
    effect: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule';
    timeAdded?: string | undefined;
}
interface TakeSnapshotOptions {
    readonly namespaces?: readonly string[] | undefined;
    readonly kinds?: readonly string[] | undefined;
    readonly secrets?: boolean | undefined;
    readonly onWarning?: ((text: string) => void) | undefined;
}
interface TargetResponder {
    name: string;
    priority: number;
    state: 'Active' | 'Canceled' | 'Completed' | 'Inactive' | 'Interrupted';
}
interface TemplateMetadata extends MetadataDraft {
}
declare class TerminalError extends Error {
    constructor(message: string, options?: ErrorOptions);
}
interface TerminalSize {
    readonly columns: number;
    readonly rows: number;
}
interface TextClient {
    get(object: ObjectName, options?: ObjectOptions): Promise<string>;
}
interface Timer {
    cancel(): void;
}
interface TokenAuthenticator {
    authenticateToken(token: string, audiences?: readonly string[]): Authenticated | undefined | Promise<Authenticated | undefined>;
}
declare class TokenError extends Error {
    readonly annotations: Readonly<Record<string, string>> | undefined;
    constructor(message: string, annotations?: Readonly<Record<string, string>>);
}
interface TokenRequest {
    kind?: string | undefined;
    apiVersion?: string | undefined;
    metadata: TemplateMetadata;
    spec: TokenRequestSpec;
    status: TokenRequestStatus;
}
interface TokenRequestDraft {
    kind?: string | undefined;
    apiVersion?: string | undefined;
    metadata?: MetadataDraft | undefined;
    spec?: TokenRequestSpecDraft | undefined;
    status?: TokenRequestStatusDraft | undefined;
}
interface TokenRequestSpec {
    audiences: string[] | null;
    boundObjectRef: BoundObjectReference | null;
    expirationSeconds: number | null;
    attestations?: Record<string, string[]> | undefined;
}
interface TokenRequestSpecDraft {
    audiences?: string[] | null | undefined;
    boundObjectRef?: BoundObjectReference | null | undefined;
    expirationSeconds?: number | null | undefined;
    attestations?: Record<string, string[]> | undefined;
}
interface TokenRequestStatus {
    token: string;
    expirationTimestamp: string | null;
}
interface TokenRequestStatusDraft {
    token?: string | undefined;
    expirationTimestamp?: string | null | undefined;
}
interface TokenReview {
    kind: 'TokenReview';
    apiVersion: 'authentication.k8s.io/v1';
    metadata: MetadataDraft;
    spec: TokenReviewSpec;
    status: TokenReviewStatus;
}
interface TokenReviewApply {
    kind?: 'TokenReview' | undefined;
    apiVersion?: 'authentication.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec?: TokenReviewSpecApply | undefined;
    status?: TokenReviewStatus | undefined;
}
interface TokenReviewDraft {
    kind?: 'TokenReview' | undefined;
    apiVersion?: 'authentication.k8s.io/v1' | undefined;
    metadata?: MetadataDraft | undefined;
    spec: TokenReviewSpec;
    status?: TokenReviewStatus | undefined;
}
interface TokenReviewSpec {
    token: string;
    audiences?: string[] | undefined;
}
interface TokenReviewSpecApply {
    token?: string | undefined;
    audiences?: string[] | undefined;
}
interface TokenReviewStatus {
    authenticated?: boolean | undefined;
    user: UserInfo$1;
    error?: string | undefined;
    audiences?: string[] | undefined;
}
interface Toleration {
    key?: string | undefined;
    operator?: string | undefined;
    value?: string | undefined;
    effect?: string | undefined;
    tolerationSeconds?: number | undefined;
}
interface Toleration$1 {
    key?: string | undefined;
    operator?: 'Equal' | 'Exists' | 'Gt' | 'Lt' | undefined;
    value?: string | undefined;
    effect?: 'NoExecute' | 'NoSchedule' | 'PreferNoSchedule' | undefined;
    tolerationSeconds?: number | undefined;
}
interface TopologyConstraint {
    key: string;
}
interface TopologySelectorLabelRequirement {
    key: string;
    values: string[];
}
interface TopologySelectorTerm {
    matchLabelExpressions?: TopologySelectorLabelRequirement[] | undefined;
}
interface TopologySpreadConstraint {
    maxSkew: number;
    topologyKey: string;
    whenUnsatisfiable: string;
    labelSelector?: LabelSelector$1 | undefined;
    minDomains?: number | undefined;
    nodeAffinityPolicy?: string | undefined;
    nodeTaintsPolicy?: string | undefined;
    matchLabelKeys?: string[] | undefined;
}
interface TopologySpreadConstraint$1 {
    maxSkew: number;
    topologyKey: string;
    whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
    labelSelector?: LabelSelector | undefined;
    minDomains?: number | undefined;
    nodeAffinityPolicy?: 'Honor' | 'Ignore' | undefined;
    nodeTaintsPolicy?: 'Honor' | 'Ignore' | undefined;
    matchLabelKeys?: string[] | undefined;
}
interface TopologySpreadConstraintApply {
    maxSkew?: number | undefined;
    topologyKey: string;
    whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
    labelSelector?: LabelSelector | undefined;
    minDomains?: number | undefined;
    nodeAffinityPolicy?: 'Honor' | 'Ignore' | undefined;
    nodeTaintsPolicy?: 'Honor' | 'Ignore' | undefined;
    matchLabelKeys?: string[] | undefined;
}
declare class TrailingError extends Error {
    readonly revision: number;
    readonly seenRevision: number;
    constructor(revision: number, seenRevision: number);
}
interface TypeChecking {
    expressionWarnings?: ExpressionWarning[] | undefined;
}
type Typed<Type, S, F extends Form> = Type extends 'string' ? string : Type extends 'integer' | 'number' ? number : Type extends 'boolean' ? boolean : Type extends 'null' ? null : Type extends 'array' ? S extends {
    readonly items: infer Items;
} ? FromSchema<Items, F>[] : unknown[] : Type extends 'object' ? ObjectOf<S, F> : unknown;
interface TypedJsonSchema<Static = unknown> {
    readonly static: Static;
}
interface TypedLocalObjectReference {
    apiGroup?: string | undefined;
    kind: string;
    name: string;
}
interface TypedLocalObjectReference$1 {
    apiGroup: string | null;
    kind: string;
    name: string;
}
interface TypedLocalObjectReferenceApply {
    apiGroup?: string | null | undefined;
    kind?: string | undefined;
    name?: string | undefined;
}
interface TypedLocalObjectReferenceDraft {
    apiGroup?: string | null | undefined;
    kind: string;
    name: string;
}
interface TypedObjectReference {
    apiGroup?: string | undefined;
    kind: string;
    name: string;
    namespace?: string | undefined;
}
interface TypedObjectReference$1 {
    apiGroup: string | null;
    kind: string;
    name: string;
    namespace?: string | undefined;
}
interface TypedObjectReferenceApply {
    apiGroup?: string | null | undefined;
    kind?: string | undefined;
    name?: string | undefined;
    namespace?: string | undefined;
}
interface TypedObjectReferenceDraft {
    apiGroup?: string | null | undefined;
    kind: string;
    name: string;
    namespace?: string | undefined;
}
type TypesFor<T> = T extends {
    apiVersion: infer V extends keyof BuiltinClients;
    kind: infer K;
} ? K extends keyof BuiltinClients[V] ? BuiltinClients[V][K] extends infer Types extends AnyTypes ? Types : never : OwnTypes<T> : OwnTypes<T>;
type TypesOf<T, Types> = Types extends AnyTypes ? Types : TypesFor<T>;
type TypesOfVersion<Version> = 0 extends 1 & ObjectOfVersion<Version> ? unknown : SchemaTypes<SchemaIn<Version>, Version>;
interface UncountedTerminatedPods {
    succeeded?: string[] | undefined;
    failed?: string[] | undefined;
}
type Unknown<S> = S extends {
    readonly 'x-kubernetes-preserve-unknown-fields': true;
} ? {
    [field: string]: unknown;
} : unknown;
type UntilCondition<T> = ((object: T) => unknown) | {
    readonly condition: string;
    readonly status?: string | undefined;
} | {
    readonly deleted: true;
};
interface UntilOptions {
    readonly timeout?: number | undefined;
}
interface UntypedObject extends KubeObject {
    [field: string]: any;
}
declare class UserError extends Error {
    constructor(message: string, options?: ErrorOptions);
}
interface UserInfo {
    username?: string | undefined;
    uid?: string | undefined;
    groups?: string[] | undefined;
    extra?: Record<string, string[]> | undefined;
}
interface UserInfo$1 {
    username?: string | undefined;
    uid?: string | undefined;
    groups?: string[] | undefined;
    extra?: Record<string, string[]> | undefined;
}
interface UserInfo$2 {
    readonly name: string;
    readonly uid?: string | undefined;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
interface UserRules {
    readonly resourceRules: readonly ResourceRule[];
    readonly nonResourceRules: readonly NonResourceRule[];
    readonly incomplete: boolean;
    readonly problems: readonly string[];
}
interface UserSubject {
    name: string;
}
interface V1CrossVersionObjectReference {
    kind: string;
    name: string;
    apiVersion?: string | undefined;
}
interface V1CrossVersionObjectReferenceApply {
    kind?: string | undefined;
    name?: string | undefined;
    apiVersion?: string | undefined;
}
interface V1EndpointPort {
    name?: string | undefined;
    protocol?: 'SCTP' | 'TCP' | 'UDP' | undefined;
    port?: number | undefined;
    appProtocol?: string | undefined;
}
interface V1Event {
    kind: 'Event';
    apiVersion: 'events.k8s.io/v1';
    metadata: NamespacedMetadata;
    eventTime: string | null;
    series?: V1EventSeries | undefined;
    reportingController?: string | undefined;
    reportingInstance?: string | undefined;
    action?: string | undefined;
    reason?: string | undefined;
    regarding: ObjectReference;
    related?: ObjectReference | undefined;
    note?: string | undefined;
    type?: string | undefined;
    deprecatedSource: EventSource;
    deprecatedFirstTimestamp: string | null;
    deprecatedLastTimestamp: string | null;
    deprecatedCount?: number | undefined;
}
interface V1EventApply {
    kind?: 'Event' | undefined;
    apiVersion?: 'events.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    eventTime?: string | null | undefined;
    series?: V1EventSeriesApply | undefined;
    reportingController?: string | undefined;
    reportingInstance?: string | undefined;
    action?: string | undefined;
    reason?: string | undefined;
    regarding?: ObjectReferenceApply | undefined;
    related?: ObjectReferenceApply | undefined;
    note?: string | undefined;
    type?: string | undefined;
    deprecatedSource?: EventSource | undefined;
    deprecatedFirstTimestamp?: string | null | undefined;
    deprecatedLastTimestamp?: string | null | undefined;
    deprecatedCount?: number | undefined;
}
interface V1EventDraft {
    kind?: 'Event' | undefined;
    apiVersion?: 'events.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    eventTime: string | null;
    series?: V1EventSeries | undefined;
    reportingController?: string | undefined;
    reportingInstance?: string | undefined;
    action?: string | undefined;
    reason?: string | undefined;
    regarding?: ObjectReference | undefined;
    related?: ObjectReference | undefined;
    note?: string | undefined;
    type?: string | undefined;
    deprecatedSource?: EventSource | undefined;
    deprecatedFirstTimestamp?: string | null | undefined;
    deprecatedLastTimestamp?: string | null | undefined;
    deprecatedCount?: number | undefined;
}
interface V1EventSeries {
    count: number;
    lastObservedTime: string | null;
}
interface V1EventSeriesApply {
    count?: number | undefined;
    lastObservedTime?: string | null | undefined;
}
interface V1HorizontalPodAutoscaler {
    kind: 'HorizontalPodAutoscaler';
    apiVersion: 'autoscaling/v1';
    metadata: NamespacedMetadata;
    spec: V1HorizontalPodAutoscalerSpec;
    status: V1HorizontalPodAutoscalerStatus;
}
interface V1HorizontalPodAutoscalerApply {
    kind?: 'HorizontalPodAutoscaler' | undefined;
    apiVersion?: 'autoscaling/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1HorizontalPodAutoscalerSpecApply | undefined;
    status?: V1HorizontalPodAutoscalerStatus | undefined;
}
interface V1HorizontalPodAutoscalerDraft {
    kind?: 'HorizontalPodAutoscaler' | undefined;
    apiVersion?: 'autoscaling/v1' | undefined;
    metadata: NewMetadata;
    spec: V1HorizontalPodAutoscalerSpec;
    status?: V1HorizontalPodAutoscalerStatus | undefined;
}
interface V1HorizontalPodAutoscalerSpec {
    scaleTargetRef: V1CrossVersionObjectReference;
    minReplicas?: number | undefined;
    maxReplicas: number;
    targetCPUUtilizationPercentage?: number | undefined;
}
interface V1HorizontalPodAutoscalerSpecApply {
    scaleTargetRef?: V1CrossVersionObjectReferenceApply | undefined;
    minReplicas?: number | undefined;
    maxReplicas?: number | undefined;
    targetCPUUtilizationPercentage?: number | undefined;
}
interface V1HorizontalPodAutoscalerStatus {
    observedGeneration?: number | undefined;
    lastScaleTime?: string | undefined;
    currentReplicas: number;
    desiredReplicas: number;
    currentCPUUtilizationPercentage?: number | undefined;
}
interface V1ResourceClaim {
    kind: 'ResourceClaim';
    apiVersion: 'resource.k8s.io/v1';
    metadata: NamespacedMetadata;
    spec: ResourceClaimSpec;
    status: ResourceClaimStatus;
}
interface V1ResourceClaimApply {
    kind?: 'ResourceClaim' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ResourceClaimSpecDraft | undefined;
    status?: ResourceClaimStatus | undefined;
}
interface V1ResourceClaimDraft {
    kind?: 'ResourceClaim' | undefined;
    apiVersion?: 'resource.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: ResourceClaimSpecDraft | undefined;
    status?: ResourceClaimStatus | undefined;
}
interface V1ServiceReference {
    namespace: string;
    name: string;
    path?: string | undefined;
    port?: number | undefined;
}
interface V1ServiceReferenceApply {
    namespace?: string | undefined;
    name?: string | undefined;
    path?: string | undefined;
    port?: number | undefined;
}
interface V1Subject {
    kind: string;
    apiGroup?: string | undefined;
    name: string;
    namespace?: string | undefined;
}
interface V1TokenRequest {
    audience: string;
    expirationSeconds?: number | undefined;
}
interface V1WebhookClientConfig {
    service?: V1ServiceReference | undefined;
    caBundle?: string | undefined;
    url?: string | undefined;
}
interface V1WebhookClientConfigApply {
    service?: V1ServiceReferenceApply | undefined;
    caBundle?: string | undefined;
    url?: string | undefined;
}
interface V1alpha1ApplyConfiguration {
    expression?: string | undefined;
}
interface V1alpha1Eviction {
    kind: 'Eviction';
    apiVersion: 'lifecycle.k8s.io/v1alpha1';
    metadata: NamespacedMetadata;
    spec: EvictionSpec;
    status: EvictionStatus;
}
interface V1alpha1EvictionApply {
    kind?: 'Eviction' | undefined;
    apiVersion?: 'lifecycle.k8s.io/v1alpha1' | undefined;
    metadata: AppliedMetadata;
    spec?: EvictionSpecApply | undefined;
    status?: EvictionStatus | undefined;
}
interface V1alpha1EvictionDraft {
    kind?: 'Eviction' | undefined;
    apiVersion?: 'lifecycle.k8s.io/v1alpha1' | undefined;
    metadata: NewMetadata;
    spec: EvictionSpec;
    status?: EvictionStatus | undefined;
}
interface V1alpha1JSONPatch {
    expression?: string | undefined;
}
interface V1alpha1MatchCondition {
    name: string;
    expression: string;
}
interface V1alpha1MatchConditionApply {
    name: string;
    expression?: string | undefined;
}
interface V1alpha1MatchResources {
    namespaceSelector?: LabelSelector | undefined;
    objectSelector?: LabelSelector | undefined;
    resourceRules?: V1alpha1NamedRuleWithOperations[] | undefined;
    excludeResourceRules?: V1alpha1NamedRuleWithOperations[] | undefined;
    matchPolicy?: 'Equivalent' | 'Exact' | undefined;
}
interface V1alpha1MutatingAdmissionPolicy {
    kind: 'MutatingAdmissionPolicy';
    apiVersion: 'admissionregistration.k8s.io/v1alpha1';
    metadata: ObjectMetadata;
    spec: V1alpha1MutatingAdmissionPolicySpec;
}
interface V1alpha1MutatingAdmissionPolicyApply {
    kind?: 'MutatingAdmissionPolicy' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1alpha1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1alpha1MutatingAdmissionPolicySpecApply | undefined;
}
interface V1alpha1MutatingAdmissionPolicyBinding {
    kind: 'MutatingAdmissionPolicyBinding';
    apiVersion: 'admissionregistration.k8s.io/v1alpha1';
    metadata: ObjectMetadata;
    spec: V1alpha1MutatingAdmissionPolicyBindingSpec;
}
interface V1alpha1MutatingAdmissionPolicyBindingApply {
    kind?: 'MutatingAdmissionPolicyBinding' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1alpha1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1alpha1MutatingAdmissionPolicyBindingSpec | undefined;
}
interface V1alpha1MutatingAdmissionPolicyBindingDraft {
    kind?: 'MutatingAdmissionPolicyBinding' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1alpha1' | undefined;
    metadata: NewMetadata;
    spec?: V1alpha1MutatingAdmissionPolicyBindingSpec | undefined;
}
interface V1alpha1MutatingAdmissionPolicyBindingSpec {
    policyName?: string | undefined;
    paramRef?: V1alpha1ParamRef | undefined;
    matchResources?: V1alpha1MatchResources | undefined;
}
interface V1alpha1MutatingAdmissionPolicyDraft {
    kind?: 'MutatingAdmissionPolicy' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1alpha1' | undefined;
    metadata: NewMetadata;
    spec?: V1alpha1MutatingAdmissionPolicySpec | undefined;
}
interface V1alpha1MutatingAdmissionPolicySpec {
    paramKind?: V1alpha1ParamKind | undefined;
    matchConstraints?: V1alpha1MatchResources | undefined;
    variables?: V1alpha1Variable[] | undefined;
    mutations?: V1alpha1Mutation[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    matchConditions?: V1alpha1MatchCondition[] | undefined;
    reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}
interface V1alpha1MutatingAdmissionPolicySpecApply {
    paramKind?: V1alpha1ParamKind | undefined;
    matchConstraints?: V1alpha1MatchResources | undefined;
    variables?: V1alpha1Variable[] | undefined;
    mutations?: V1alpha1Mutation[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    matchConditions?: V1alpha1MatchConditionApply[] | undefined;
    reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}
interface V1alpha1Mutation {
    patchType: 'ApplyConfiguration' | 'JSONPatch';
    applyConfiguration?: V1alpha1ApplyConfiguration | undefined;
    jsonPatch?: V1alpha1JSONPatch | undefined;
}
interface V1alpha1NamedRuleWithOperations {
    resourceNames?: string[] | undefined;
    operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[] | undefined;
    apiGroups?: string[] | undefined;
    apiVersions?: string[] | undefined;
    resources?: string[] | undefined;
    scope?: '*' | 'Cluster' | 'Namespaced' | undefined;
}
interface V1alpha1ParamKind {
    apiVersion?: string | undefined;
    kind?: string | undefined;
}
interface V1alpha1ParamRef {
    name?: string | undefined;
    namespace?: string | undefined;
    selector?: LabelSelector | undefined;
    parameterNotFoundAction?: 'Allow' | 'Deny' | undefined;
}
interface V1alpha1Variable {
    name: string;
    expression: string;
}
interface V1alpha2LeaseCandidate {
    kind: 'LeaseCandidate';
    apiVersion: 'coordination.k8s.io/v1alpha2';
    metadata: NamespacedMetadata;
    spec: V1alpha2LeaseCandidateSpec;
}
interface V1alpha2LeaseCandidateApply {
    kind?: 'LeaseCandidate' | undefined;
    apiVersion?: 'coordination.k8s.io/v1alpha2' | undefined;
    metadata: AppliedMetadata;
    spec?: V1alpha2LeaseCandidateSpecApply | undefined;
}
interface V1alpha2LeaseCandidateDraft {
    kind?: 'LeaseCandidate' | undefined;
    apiVersion?: 'coordination.k8s.io/v1alpha2' | undefined;
    metadata: NewMetadata;
    spec: V1alpha2LeaseCandidateSpec;
}
interface V1alpha2LeaseCandidateSpec {
    leaseName: string;
    pingTime?: string | undefined;
    renewTime?: string | undefined;
    binaryVersion: string;
    emulationVersion?: string | undefined;
    strategy: string;
}
interface V1alpha2LeaseCandidateSpecApply {
    leaseName?: string | undefined;
    pingTime?: string | undefined;
    renewTime?: string | undefined;
    binaryVersion?: string | undefined;
    emulationVersion?: string | undefined;
    strategy?: string | undefined;
}
type V1alpha3AllCompositeDisruptionMode = Record<string, never>;
type V1alpha3AllDisruptionMode = Record<string, never>;
type V1alpha3BasicSchedulingPolicy = Record<string, never>;
type V1alpha3CompositeBasicSchedulingPolicy = Record<string, never>;
interface V1alpha3CompositeDisruptionMode {
    single?: V1alpha3SingleCompositeDisruptionMode | undefined;
    all?: V1alpha3AllCompositeDisruptionMode | undefined;
}
interface V1alpha3CompositeGangSchedulingPolicy {
    minGroupCount: number;
}
interface V1alpha3CompositeGangSchedulingPolicyApply {
    minGroupCount?: number | undefined;
}
interface V1alpha3CompositePodGroupSchedulingConstraints {
    topology?: V1alpha3TopologyConstraint[] | undefined;
}
interface V1alpha3CompositePodGroupSchedulingPolicy {
    basic?: V1alpha3CompositeBasicSchedulingPolicy | undefined;
    gang?: V1alpha3CompositeGangSchedulingPolicy | undefined;
}
interface V1alpha3CompositePodGroupSchedulingPolicyApply {
    basic?: V1alpha3CompositeBasicSchedulingPolicy | undefined;
    gang?: V1alpha3CompositeGangSchedulingPolicyApply | undefined;
}
interface V1alpha3CompositePodGroupTemplate {
    name: string;
    schedulingPolicy: V1alpha3CompositePodGroupSchedulingPolicy;
    schedulingConstraints?: V1alpha3CompositePodGroupSchedulingConstraints | undefined;
    disruptionMode?: V1alpha3CompositeDisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    podGroupTemplates?: V1alpha3PodGroupTemplate[] | undefined;
    compositePodGroupTemplates?: V1alpha3CompositePodGroupTemplate[] | undefined;
}
interface V1alpha3CompositePodGroupTemplateApply {
    name: string;
    schedulingPolicy?: V1alpha3CompositePodGroupSchedulingPolicyApply | undefined;
    schedulingConstraints?: V1alpha3CompositePodGroupSchedulingConstraints | undefined;
    disruptionMode?: V1alpha3CompositeDisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    podGroupTemplates?: V1alpha3PodGroupTemplateApply[] | undefined;
    compositePodGroupTemplates?: V1alpha3CompositePodGroupTemplateApply[] | undefined;
}
interface V1alpha3CompositePodGroupTemplateDraft {
    name: string;
    schedulingPolicy: V1alpha3CompositePodGroupSchedulingPolicy;
    schedulingConstraints?: V1alpha3CompositePodGroupSchedulingConstraints | undefined;
    disruptionMode?: V1alpha3CompositeDisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
    podGroupTemplates?: V1alpha3PodGroupTemplateDraft[] | undefined;
    compositePodGroupTemplates?: V1alpha3CompositePodGroupTemplateDraft[] | undefined;
}
interface V1alpha3DeviceTaint {
    key: string;
    value?: string | undefined;
    effect: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
    timeAdded?: string | undefined;
}
interface V1alpha3DeviceTaintApply {
    key?: string | undefined;
    value?: string | undefined;
    effect?: 'NoExecute' | 'NoSchedule' | 'None' | (string & {}) | undefined;
    timeAdded?: string | undefined;
}
interface V1alpha3DeviceTaintRule {
    kind: 'DeviceTaintRule';
    apiVersion: 'resource.k8s.io/v1alpha3';
    metadata: ObjectMetadata;
    spec: V1alpha3DeviceTaintRuleSpec;
    status: V1alpha3DeviceTaintRuleStatus;
}
interface V1alpha3DeviceTaintRuleApply {
    kind?: 'DeviceTaintRule' | undefined;
    apiVersion?: 'resource.k8s.io/v1alpha3' | undefined;
    metadata: AppliedMetadata;
    spec?: V1alpha3DeviceTaintRuleSpecApply | undefined;
    status?: V1alpha3DeviceTaintRuleStatus | undefined;
}
interface V1alpha3DeviceTaintRuleDraft {
    kind?: 'DeviceTaintRule' | undefined;
    apiVersion?: 'resource.k8s.io/v1alpha3' | undefined;
    metadata: NewMetadata;
    spec: V1alpha3DeviceTaintRuleSpec;
    status?: V1alpha3DeviceTaintRuleStatus | undefined;
}
interface V1alpha3DeviceTaintRuleSpec {
    deviceSelector?: V1alpha3DeviceTaintSelector | undefined;
    taint: V1alpha3DeviceTaint;
}
interface V1alpha3DeviceTaintRuleSpecApply {
    deviceSelector?: V1alpha3DeviceTaintSelector | undefined;
    taint?: V1alpha3DeviceTaintApply | undefined;
}
interface V1alpha3DeviceTaintRuleStatus {
    conditions?: Condition[] | undefined;
}
interface V1alpha3DeviceTaintSelector {
    driver?: string | undefined;
    pool?: string | undefined;
    device?: string | undefined;
}
interface V1alpha3DisruptionMode {
    single?: V1alpha3SingleDisruptionMode | undefined;
    all?: V1alpha3AllDisruptionMode | undefined;
}
interface V1alpha3GangSchedulingPolicy {
    minCount: number;
}
interface V1alpha3GangSchedulingPolicyApply {
    minCount?: number | undefined;
}
interface V1alpha3PodGroup {
    kind: 'PodGroup';
    apiVersion: 'scheduling.k8s.io/v1alpha3';
    metadata: NamespacedMetadata;
    spec: V1alpha3PodGroupSpec;
    status: V1alpha3PodGroupStatus;
}
interface V1alpha3PodGroupApply {
    kind?: 'PodGroup' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1alpha3' | undefined;
    metadata: AppliedMetadata;
    spec?: V1alpha3PodGroupSpecApply | undefined;
    status?: V1alpha3PodGroupStatus | undefined;
}
interface V1alpha3PodGroupDraft {
    kind?: 'PodGroup' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1alpha3' | undefined;
    metadata: NewMetadata;
    spec: V1alpha3PodGroupSpec;
    status?: V1alpha3PodGroupStatus | undefined;
}
interface V1alpha3PodGroupResourceClaim {
    name: string;
    resourceClaimName?: string | undefined;
    resourceClaimTemplateName?: string | undefined;
}
interface V1alpha3PodGroupResourceClaimStatus {
    name: string;
    resourceClaimName?: string | undefined;
}
interface V1alpha3PodGroupSchedulingConstraints {
    topology?: V1alpha3TopologyConstraint[] | undefined;
}
interface V1alpha3PodGroupSchedulingPolicy {
    basic?: V1alpha3BasicSchedulingPolicy | undefined;
    gang?: V1alpha3GangSchedulingPolicy | undefined;
}
interface V1alpha3PodGroupSchedulingPolicyApply {
    basic?: V1alpha3BasicSchedulingPolicy | undefined;
    gang?: V1alpha3GangSchedulingPolicyApply | undefined;
}
interface V1alpha3PodGroupSpec {
    parentCompositePodGroupName?: string | undefined;
    workloadRef?: V1alpha3WorkloadReference | undefined;
    schedulingPolicy: V1alpha3PodGroupSchedulingPolicy;
    schedulingConstraints?: V1alpha3PodGroupSchedulingConstraints | undefined;
    resourceClaims?: V1alpha3PodGroupResourceClaim[] | undefined;
    disruptionMode?: V1alpha3DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface V1alpha3PodGroupSpecApply {
    parentCompositePodGroupName?: string | undefined;
    workloadRef?: V1alpha3WorkloadReferenceApply | undefined;
    schedulingPolicy?: V1alpha3PodGroupSchedulingPolicyApply | undefined;
    schedulingConstraints?: V1alpha3PodGroupSchedulingConstraints | undefined;
    resourceClaims?: V1alpha3PodGroupResourceClaim[] | undefined;
    disruptionMode?: V1alpha3DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface V1alpha3PodGroupStatus {
    conditions?: Condition[] | undefined;
    resourceClaimStatuses?: V1alpha3PodGroupResourceClaimStatus[] | undefined;
}
interface V1alpha3PodGroupTemplate {
    name: string;
    schedulingPolicy: V1alpha3PodGroupSchedulingPolicy;
    schedulingConstraints: V1alpha3PodGroupSchedulingConstraints | null;
    resourceClaims?: V1alpha3PodGroupResourceClaim[] | undefined;
    disruptionMode?: V1alpha3DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface V1alpha3PodGroupTemplateApply {
    name: string;
    schedulingPolicy?: V1alpha3PodGroupSchedulingPolicyApply | undefined;
    schedulingConstraints?: V1alpha3PodGroupSchedulingConstraints | null | undefined;
    resourceClaims?: V1alpha3PodGroupResourceClaim[] | undefined;
    disruptionMode?: V1alpha3DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
interface V1alpha3PodGroupTemplateDraft {
    name: string;
    schedulingPolicy: V1alpha3PodGroupSchedulingPolicy;
    schedulingConstraints?: V1alpha3PodGroupSchedulingConstraints | null | undefined;
    resourceClaims?: V1alpha3PodGroupResourceClaim[] | undefined;
    disruptionMode?: V1alpha3DisruptionMode | undefined;
    priorityClassName?: string | undefined;
    priority?: number | undefined;
    preemptionPolicy?: 'Never' | 'PreemptLowerPriority' | undefined;
}
type V1alpha3SingleCompositeDisruptionMode = Record<string, never>;
type V1alpha3SingleDisruptionMode = Record<string, never>;
interface V1alpha3TopologyConstraint {
    key: string;
}
interface V1alpha3TypedLocalObjectReference {
    apiGroup?: string | undefined;
    kind: string;
    name: string;
}
interface V1alpha3TypedLocalObjectReferenceApply {
    apiGroup?: string | undefined;
    kind?: string | undefined;
    name?: string | undefined;
}
interface V1alpha3Workload {
    kind: 'Workload';
    apiVersion: 'scheduling.k8s.io/v1alpha3';
    metadata: NamespacedMetadata;
    spec: V1alpha3WorkloadSpec;
}
interface V1alpha3WorkloadApply {
    kind?: 'Workload' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1alpha3' | undefined;
    metadata: AppliedMetadata;
    spec?: V1alpha3WorkloadSpecApply | undefined;
}
interface V1alpha3WorkloadDraft {
    kind?: 'Workload' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1alpha3' | undefined;
    metadata: NewMetadata;
    spec: V1alpha3WorkloadSpecDraft;
}
interface V1alpha3WorkloadReference {
    workloadName: string;
    templateName: string;
}
interface V1alpha3WorkloadReferenceApply {
    workloadName?: string | undefined;
    templateName?: string | undefined;
}
interface V1alpha3WorkloadSpec {
    controllerRef?: V1alpha3TypedLocalObjectReference | undefined;
    podGroupTemplates: V1alpha3PodGroupTemplate[] | null;
    compositePodGroupTemplates?: V1alpha3CompositePodGroupTemplate[] | undefined;
}
interface V1alpha3WorkloadSpecApply {
    controllerRef?: V1alpha3TypedLocalObjectReferenceApply | undefined;
    podGroupTemplates?: V1alpha3PodGroupTemplateApply[] | null | undefined;
    compositePodGroupTemplates?: V1alpha3CompositePodGroupTemplateApply[] | undefined;
}
interface V1alpha3WorkloadSpecDraft {
    controllerRef?: V1alpha3TypedLocalObjectReference | undefined;
    podGroupTemplates?: V1alpha3PodGroupTemplateDraft[] | null | undefined;
    compositePodGroupTemplates?: V1alpha3CompositePodGroupTemplateDraft[] | undefined;
}
interface V1beta1AllocatedDeviceStatus {
    driver: string;
    pool: string;
    device: string;
    conditions: Condition[] | null;
    data?: Record<string, unknown> | undefined;
    networkData?: V1beta1NetworkDeviceData | undefined;
    shareID?: string | undefined;
}
interface V1beta1AllocationResult {
    devices: V1beta1DeviceAllocationResult;
    nodeSelector?: NodeSelector$1 | undefined;
    allocationTimestamp?: string | undefined;
}
interface V1beta1ApplyConfiguration {
    expression?: string | undefined;
}
interface V1beta1CELDeviceSelector {
    expression: string;
}
interface V1beta1CapacityRequestPolicy {
    default: string | null;
    validValues?: string[] | undefined;
    validRange?: V1beta1CapacityRequestPolicyRange | undefined;
}
interface V1beta1CapacityRequestPolicyDraft {
    default?: number | string | null | undefined;
    validValues?: (number | string)[] | undefined;
    validRange?: V1beta1CapacityRequestPolicyRangeDraft | undefined;
}
interface V1beta1CapacityRequestPolicyRange {
    min: string;
    max?: string | undefined;
    step?: string | undefined;
}
interface V1beta1CapacityRequestPolicyRangeDraft {
    min: number | string;
    max?: number | string | undefined;
    step?: number | string | undefined;
}
interface V1beta1CapacityRequirements {
    requests?: Record<string, string> | undefined;
}
interface V1beta1CapacityRequirementsDraft {
    requests?: Record<string, number | string> | undefined;
}
interface V1beta1ClusterTrustBundle {
    kind: 'ClusterTrustBundle';
    apiVersion: 'certificates.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    spec: V1beta1ClusterTrustBundleSpec;
}
interface V1beta1ClusterTrustBundleApply {
    kind?: 'ClusterTrustBundle' | undefined;
    apiVersion?: 'certificates.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1ClusterTrustBundleSpecApply | undefined;
}
interface V1beta1ClusterTrustBundleDraft {
    kind?: 'ClusterTrustBundle' | undefined;
    apiVersion?: 'certificates.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec: V1beta1ClusterTrustBundleSpec;
}
interface V1beta1ClusterTrustBundleSpec {
    signerName?: string | undefined;
    trustBundle: string;
}
interface V1beta1ClusterTrustBundleSpecApply {
    signerName?: string | undefined;
    trustBundle?: string | undefined;
}
interface V1beta1Counter {
    value: string;
}
interface V1beta1CounterDraft {
    value: number | string;
}
interface V1beta1CounterSet {
    name: string;
    counters: Record<string, V1beta1Counter>;
}
interface V1beta1CounterSetDraft {
    name: string;
    counters: Record<string, V1beta1CounterDraft>;
}
interface V1beta1Device {
    name: string;
    basic?: BasicDevice | undefined;
}
interface V1beta1DeviceAllocationConfiguration {
    source: 'FromClaim' | 'FromClass';
    requests?: string[] | undefined;
    opaque?: V1beta1OpaqueDeviceConfiguration | undefined;
}
interface V1beta1DeviceAllocationResult {
    results?: V1beta1DeviceRequestAllocationResult[] | undefined;
    config?: V1beta1DeviceAllocationConfiguration[] | undefined;
}
interface V1beta1DeviceAttribute {
    int?: number | undefined;
    bool?: boolean | undefined;
    string?: string | undefined;
    version?: string | undefined;
    ints?: number[] | undefined;
    bools?: boolean[] | undefined;
    strings?: string[] | undefined;
    versions?: string[] | undefined;
}
interface V1beta1DeviceCapacity {
    value: string;
    requestPolicy?: V1beta1CapacityRequestPolicy | undefined;
}
interface V1beta1DeviceCapacityDraft {
    value: number | string;
    requestPolicy?: V1beta1CapacityRequestPolicyDraft | undefined;
}
interface V1beta1DeviceClaim {
    requests: V1beta1DeviceRequest[] | null;
    constraints?: V1beta1DeviceConstraint[] | undefined;
    config?: V1beta1DeviceClaimConfiguration[] | undefined;
}
interface V1beta1DeviceClaimConfiguration {
    requests?: string[] | undefined;
    opaque?: V1beta1OpaqueDeviceConfiguration | undefined;
}
interface V1beta1DeviceClaimDraft {
    requests?: V1beta1DeviceRequestDraft[] | null | undefined;
    constraints?: V1beta1DeviceConstraint[] | undefined;
    config?: V1beta1DeviceClaimConfiguration[] | undefined;
}
interface V1beta1DeviceClass {
    kind: 'DeviceClass';
    apiVersion: 'resource.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    spec: V1beta1DeviceClassSpec;
}
interface V1beta1DeviceClassApply {
    kind?: 'DeviceClass' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1DeviceClassSpec | undefined;
}
interface V1beta1DeviceClassConfiguration {
    opaque?: V1beta1OpaqueDeviceConfiguration | undefined;
}
interface V1beta1DeviceClassDraft {
    kind?: 'DeviceClass' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec?: V1beta1DeviceClassSpec | undefined;
}
interface V1beta1DeviceClassSpec {
    selectors?: V1beta1DeviceSelector[] | undefined;
    config?: V1beta1DeviceClassConfiguration[] | undefined;
    extendedResourceName?: string | undefined;
}
interface V1beta1DeviceConstraint {
    requests?: string[] | undefined;
    matchAttribute?: string | undefined;
    distinctAttribute?: string | undefined;
}
interface V1beta1DeviceCounterConsumption {
    counterSet: string;
    counters: Record<string, V1beta1Counter>;
    compatibilityGroups?: string[] | undefined;
}
interface V1beta1DeviceCounterConsumptionDraft {
    counterSet: string;
    counters: Record<string, V1beta1CounterDraft>;
    compatibilityGroups?: string[] | undefined;
}
interface V1beta1DeviceDerivedAttribute {
    name: string;
    expression: string;
}
interface V1beta1DeviceDraft {
    name: string;
    basic?: BasicDeviceDraft | undefined;
}
interface V1beta1DeviceRequest {
    name: string;
    deviceClassName: string;
    selectors?: V1beta1DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    adminAccess?: boolean | undefined;
    firstAvailable?: V1beta1DeviceSubRequest[] | undefined;
    tolerations?: V1beta1DeviceToleration[] | undefined;
    capacity?: V1beta1CapacityRequirements | undefined;
    derivedAttributes?: V1beta1DeviceDerivedAttribute[] | undefined;
}
interface V1beta1DeviceRequestAllocationResult {
    request: string;
    driver: string;
    pool: string;
    device: string;
    adminAccess?: boolean | undefined;
    tolerations?: V1beta1DeviceToleration[] | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    shareID?: string | undefined;
    consumedCapacity?: Record<string, string> | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface V1beta1DeviceRequestDraft {
    name: string;
    deviceClassName?: string | undefined;
    selectors?: V1beta1DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    adminAccess?: boolean | undefined;
    firstAvailable?: V1beta1DeviceSubRequestDraft[] | undefined;
    tolerations?: V1beta1DeviceToleration[] | undefined;
    capacity?: V1beta1CapacityRequirementsDraft | undefined;
    derivedAttributes?: V1beta1DeviceDerivedAttribute[] | undefined;
}
interface V1beta1DeviceSelector {
    cel?: V1beta1CELDeviceSelector | undefined;
}
interface V1beta1DeviceSubRequest {
    name: string;
    deviceClassName: string;
    selectors?: V1beta1DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    tolerations?: V1beta1DeviceToleration[] | undefined;
    capacity?: V1beta1CapacityRequirements | undefined;
    derivedAttributes?: V1beta1DeviceDerivedAttribute[] | undefined;
}
interface V1beta1DeviceSubRequestDraft {
    name: string;
    deviceClassName: string;
    selectors?: V1beta1DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    tolerations?: V1beta1DeviceToleration[] | undefined;
    capacity?: V1beta1CapacityRequirementsDraft | undefined;
    derivedAttributes?: V1beta1DeviceDerivedAttribute[] | undefined;
}
interface V1beta1DeviceTaint {
    key: string;
    value?: string | undefined;
    effect: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
    timeAdded?: string | undefined;
}
interface V1beta1DeviceToleration {
    key?: string | undefined;
    operator?: 'Equal' | 'Exists' | undefined;
    value?: string | undefined;
    effect?: 'NoExecute' | 'NoSchedule' | 'None' | (string & {}) | undefined;
    tolerationSeconds?: number | undefined;
}
interface V1beta1IPAddress {
    kind: 'IPAddress';
    apiVersion: 'networking.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    spec: V1beta1IPAddressSpec;
}
interface V1beta1IPAddressApply {
    kind?: 'IPAddress' | undefined;
    apiVersion?: 'networking.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1IPAddressSpecApply | undefined;
}
interface V1beta1IPAddressDraft {
    kind?: 'IPAddress' | undefined;
    apiVersion?: 'networking.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec: V1beta1IPAddressSpec;
}
interface V1beta1IPAddressSpec {
    parentRef: V1beta1ParentReference;
}
interface V1beta1IPAddressSpecApply {
    parentRef?: V1beta1ParentReferenceApply | undefined;
}
interface V1beta1JSONPatch {
    expression?: string | undefined;
}
interface V1beta1MatchCondition {
    name: string;
    expression: string;
}
interface V1beta1MatchConditionApply {
    name: string;
    expression?: string | undefined;
}
interface V1beta1MatchResources {
    namespaceSelector?: LabelSelector | undefined;
    objectSelector?: LabelSelector | undefined;
    resourceRules?: V1beta1NamedRuleWithOperations[] | undefined;
    excludeResourceRules?: V1beta1NamedRuleWithOperations[] | undefined;
    matchPolicy?: string | undefined;
}
interface V1beta1MutatingAdmissionPolicy {
    kind: 'MutatingAdmissionPolicy';
    apiVersion: 'admissionregistration.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    spec: V1beta1MutatingAdmissionPolicySpec;
}
interface V1beta1MutatingAdmissionPolicyApply {
    kind?: 'MutatingAdmissionPolicy' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1MutatingAdmissionPolicySpecApply | undefined;
}
interface V1beta1MutatingAdmissionPolicyBinding {
    kind: 'MutatingAdmissionPolicyBinding';
    apiVersion: 'admissionregistration.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    spec: V1beta1MutatingAdmissionPolicyBindingSpec;
}
interface V1beta1MutatingAdmissionPolicyBindingApply {
    kind?: 'MutatingAdmissionPolicyBinding' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1MutatingAdmissionPolicyBindingSpec | undefined;
}
interface V1beta1MutatingAdmissionPolicyBindingDraft {
    kind?: 'MutatingAdmissionPolicyBinding' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec?: V1beta1MutatingAdmissionPolicyBindingSpec | undefined;
}
interface V1beta1MutatingAdmissionPolicyBindingSpec {
    policyName?: string | undefined;
    paramRef?: V1beta1ParamRef | undefined;
    matchResources?: V1beta1MatchResources | undefined;
}
interface V1beta1MutatingAdmissionPolicyDraft {
    kind?: 'MutatingAdmissionPolicy' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec?: V1beta1MutatingAdmissionPolicySpec | undefined;
}
interface V1beta1MutatingAdmissionPolicySpec {
    paramKind?: V1beta1ParamKind | undefined;
    matchConstraints?: V1beta1MatchResources | undefined;
    variables?: V1beta1Variable[] | undefined;
    mutations?: V1beta1Mutation[] | undefined;
    failurePolicy?: string | undefined;
    matchConditions?: V1beta1MatchCondition[] | undefined;
    reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}
interface V1beta1MutatingAdmissionPolicySpecApply {
    paramKind?: V1beta1ParamKind | undefined;
    matchConstraints?: V1beta1MatchResources | undefined;
    variables?: V1beta1Variable[] | undefined;
    mutations?: V1beta1Mutation[] | undefined;
    failurePolicy?: string | undefined;
    matchConditions?: V1beta1MatchConditionApply[] | undefined;
    reinvocationPolicy?: 'IfNeeded' | 'Never' | undefined;
}
interface V1beta1Mutation {
    patchType: 'ApplyConfiguration' | 'JSONPatch';
    applyConfiguration?: V1beta1ApplyConfiguration | undefined;
    jsonPatch?: V1beta1JSONPatch | undefined;
}
interface V1beta1NamedRuleWithOperations {
    resourceNames?: string[] | undefined;
    operations?: ('*' | 'CONNECT' | 'CREATE' | 'DELETE' | 'UPDATE')[] | undefined;
    apiGroups?: string[] | undefined;
    apiVersions?: string[] | undefined;
    resources?: string[] | undefined;
    scope?: '*' | 'Cluster' | 'Namespaced' | undefined;
}
interface V1beta1NetworkDeviceData {
    interfaceName?: string | undefined;
    ips?: string[] | undefined;
    hardwareAddress?: string | undefined;
}
interface V1beta1NodeAllocatableMapping {
    capacityKey?: string | undefined;
    capacityMultiplier?: string | undefined;
    deviceMultiplier?: string | undefined;
}
interface V1beta1NodeAllocatableMappingDraft {
    capacityKey?: string | undefined;
    capacityMultiplier?: number | string | undefined;
    deviceMultiplier?: number | string | undefined;
}
interface V1beta1NodeAllocatableOverhead {
    perPod?: string | undefined;
    perContainer?: string | undefined;
}
interface V1beta1NodeAllocatableOverheadDraft {
    perPod?: number | string | undefined;
    perContainer?: number | string | undefined;
}
interface V1beta1NodeAllocatableResource {
    mapping?: V1beta1NodeAllocatableMapping | undefined;
    overhead?: V1beta1NodeAllocatableOverhead | undefined;
}
interface V1beta1NodeAllocatableResourceDraft {
    mapping?: V1beta1NodeAllocatableMappingDraft | undefined;
    overhead?: V1beta1NodeAllocatableOverheadDraft | undefined;
}
interface V1beta1OpaqueDeviceConfiguration {
    driver: string;
    parameters: Record<string, unknown>;
}
interface V1beta1ParamKind {
    apiVersion?: string | undefined;
    kind?: string | undefined;
}
interface V1beta1ParamRef {
    name?: string | undefined;
    namespace?: string | undefined;
    selector?: LabelSelector | undefined;
    parameterNotFoundAction?: string | undefined;
}
interface V1beta1ParentReference {
    group?: string | undefined;
    resource: string;
    namespace?: string | undefined;
    name: string;
}
interface V1beta1ParentReferenceApply {
    group?: string | undefined;
    resource?: string | undefined;
    namespace?: string | undefined;
    name?: string | undefined;
}
interface V1beta1PodCertificateRequest {
    kind: 'PodCertificateRequest';
    apiVersion: 'certificates.k8s.io/v1beta1';
    metadata: NamespacedMetadata;
    spec: V1beta1PodCertificateRequestSpec;
    status: V1beta1PodCertificateRequestStatus;
}
interface V1beta1PodCertificateRequestApply {
    kind?: 'PodCertificateRequest' | undefined;
    apiVersion?: 'certificates.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1PodCertificateRequestSpecApply | undefined;
    status?: V1beta1PodCertificateRequestStatus | undefined;
}
interface V1beta1PodCertificateRequestDraft {
    kind?: 'PodCertificateRequest' | undefined;
    apiVersion?: 'certificates.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec: V1beta1PodCertificateRequestSpecDraft;
    status?: V1beta1PodCertificateRequestStatus | undefined;
}
interface V1beta1PodCertificateRequestSpec {
    signerName: string;
    podName: string;
    podUID: string;
    serviceAccountName: string;
    serviceAccountUID: string;
    nodeName: string;
    nodeUID: string;
    maxExpirationSeconds?: number | undefined;
    pkixPublicKey: string;
    proofOfPossession: string;
    unverifiedUserAnnotations?: Record<string, string> | undefined;
    stubPKCS10Request: string;
}
interface V1beta1PodCertificateRequestSpecApply {
    signerName?: string | undefined;
    podName?: string | undefined;
    podUID?: string | undefined;
    serviceAccountName?: string | undefined;
    serviceAccountUID?: string | undefined;
    nodeName?: string | undefined;
    nodeUID?: string | undefined;
    maxExpirationSeconds?: number | undefined;
    pkixPublicKey?: string | undefined;
    proofOfPossession?: string | undefined;
    unverifiedUserAnnotations?: Record<string, string> | undefined;
    stubPKCS10Request?: string | undefined;
}
interface V1beta1PodCertificateRequestSpecDraft {
    signerName: string;
    podName: string;
    podUID: string;
    serviceAccountName: string;
    serviceAccountUID: string;
    nodeName: string;
    nodeUID: string;
    maxExpirationSeconds?: number | undefined;
    pkixPublicKey?: string | undefined;
    proofOfPossession?: string | undefined;
    unverifiedUserAnnotations?: Record<string, string> | undefined;
    stubPKCS10Request: string;
}
interface V1beta1PodCertificateRequestStatus {
    conditions?: Condition[] | undefined;
    certificateChain?: string | undefined;
    notBefore?: string | undefined;
    beginRefreshAt?: string | undefined;
    notAfter?: string | undefined;
}
interface V1beta1ResourceClaim {
    kind: 'ResourceClaim';
    apiVersion: 'resource.k8s.io/v1beta1';
    metadata: NamespacedMetadata;
    spec: V1beta1ResourceClaimSpec;
    status: V1beta1ResourceClaimStatus;
}
interface V1beta1ResourceClaimApply {
    kind?: 'ResourceClaim' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1ResourceClaimSpecDraft | undefined;
    status?: V1beta1ResourceClaimStatus | undefined;
}
interface V1beta1ResourceClaimConsumerReference {
    apiGroup?: string | undefined;
    resource: string;
    name: string;
    uid: string;
}
interface V1beta1ResourceClaimDraft {
    kind?: 'ResourceClaim' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec?: V1beta1ResourceClaimSpecDraft | undefined;
    status?: V1beta1ResourceClaimStatus | undefined;
}
interface V1beta1ResourceClaimSpec {
    devices: V1beta1DeviceClaim;
}
interface V1beta1ResourceClaimSpecDraft {
    devices?: V1beta1DeviceClaimDraft | undefined;
}
interface V1beta1ResourceClaimStatus {
    allocation?: V1beta1AllocationResult | undefined;
    reservedFor?: V1beta1ResourceClaimConsumerReference[] | undefined;
    devices?: V1beta1AllocatedDeviceStatus[] | undefined;
}
interface V1beta1ResourceClaimTemplate {
    kind: 'ResourceClaimTemplate';
    apiVersion: 'resource.k8s.io/v1beta1';
    metadata: NamespacedMetadata;
    spec: V1beta1ResourceClaimTemplateSpec;
}
interface V1beta1ResourceClaimTemplateApply {
    kind?: 'ResourceClaimTemplate' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1ResourceClaimTemplateSpecDraft | undefined;
}
interface V1beta1ResourceClaimTemplateDraft {
    kind?: 'ResourceClaimTemplate' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec?: V1beta1ResourceClaimTemplateSpecDraft | undefined;
}
interface V1beta1ResourceClaimTemplateSpec {
    metadata: TemplateMetadata;
    spec: V1beta1ResourceClaimSpec;
}
interface V1beta1ResourceClaimTemplateSpecDraft {
    metadata?: MetadataDraft | undefined;
    spec?: V1beta1ResourceClaimSpecDraft | undefined;
}
interface V1beta1ResourcePool {
    name: string;
    generation: number;
    resourceSliceCount: number;
}
interface V1beta1ResourcePoolApply {
    name?: string | undefined;
    generation?: number | undefined;
    resourceSliceCount?: number | undefined;
}
interface V1beta1ResourceSlice {
    kind: 'ResourceSlice';
    apiVersion: 'resource.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    spec: V1beta1ResourceSliceSpec;
}
interface V1beta1ResourceSliceApply {
    kind?: 'ResourceSlice' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1ResourceSliceSpecApply | undefined;
}
interface V1beta1ResourceSliceDraft {
    kind?: 'ResourceSlice' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec: V1beta1ResourceSliceSpecDraft;
}
interface V1beta1ResourceSliceSpec {
    driver: string;
    pool: V1beta1ResourcePool;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    devices?: V1beta1Device[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: V1beta1CounterSet[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface V1beta1ResourceSliceSpecApply {
    driver?: string | undefined;
    pool?: V1beta1ResourcePoolApply | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelectorApply | undefined;
    allNodes?: boolean | undefined;
    devices?: V1beta1DeviceDraft[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: V1beta1CounterSetDraft[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface V1beta1ResourceSliceSpecDraft {
    driver: string;
    pool: V1beta1ResourcePool;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    devices?: V1beta1DeviceDraft[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: V1beta1CounterSetDraft[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface V1beta1ServiceCIDR {
    kind: 'ServiceCIDR';
    apiVersion: 'networking.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    spec: V1beta1ServiceCIDRSpec;
    status: V1beta1ServiceCIDRStatus;
}
interface V1beta1ServiceCIDRApply {
    kind?: 'ServiceCIDR' | undefined;
    apiVersion?: 'networking.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1ServiceCIDRSpec | undefined;
    status?: V1beta1ServiceCIDRStatus | undefined;
}
interface V1beta1ServiceCIDRDraft {
    kind?: 'ServiceCIDR' | undefined;
    apiVersion?: 'networking.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec?: V1beta1ServiceCIDRSpec | undefined;
    status?: V1beta1ServiceCIDRStatus | undefined;
}
interface V1beta1ServiceCIDRSpec {
    cidrs?: string[] | undefined;
}
interface V1beta1ServiceCIDRStatus {
    conditions?: Condition[] | undefined;
}
interface V1beta1StorageVersionMigration {
    kind: 'StorageVersionMigration';
    apiVersion: 'storagemigration.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    spec: V1beta1StorageVersionMigrationSpec;
    status: V1beta1StorageVersionMigrationStatus;
}
interface V1beta1StorageVersionMigrationApply {
    kind?: 'StorageVersionMigration' | undefined;
    apiVersion?: 'storagemigration.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta1StorageVersionMigrationSpecApply | undefined;
    status?: V1beta1StorageVersionMigrationStatus | undefined;
}
interface V1beta1StorageVersionMigrationDraft {
    kind?: 'StorageVersionMigration' | undefined;
    apiVersion?: 'storagemigration.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec: V1beta1StorageVersionMigrationSpec;
    status?: V1beta1StorageVersionMigrationStatus | undefined;
}
interface V1beta1StorageVersionMigrationSpec {
    resource: GroupResource;
}
interface V1beta1StorageVersionMigrationSpecApply {
    resource?: GroupResourceApply | undefined;
}
interface V1beta1StorageVersionMigrationStatus {
    conditions?: Condition[] | undefined;
    resourceVersion?: string | undefined;
}
interface V1beta1TypedLocalObjectReference {
    apiGroup?: string | undefined;
    kind: string;
    name: string;
}
interface V1beta1TypedLocalObjectReferenceApply {
    apiGroup?: string | undefined;
    kind?: string | undefined;
    name?: string | undefined;
}
interface V1beta1Variable {
    name: string;
    expression: string;
}
interface V1beta1VolumeAttributesClass {
    kind: 'VolumeAttributesClass';
    apiVersion: 'storage.k8s.io/v1beta1';
    metadata: ObjectMetadata;
    driverName: string;
    parameters?: Record<string, string> | undefined;
}
interface V1beta1VolumeAttributesClassApply {
    kind?: 'VolumeAttributesClass' | undefined;
    apiVersion?: 'storage.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    driverName?: string | undefined;
    parameters?: Record<string, string> | undefined;
}
interface V1beta1VolumeAttributesClassDraft {
    kind?: 'VolumeAttributesClass' | undefined;
    apiVersion?: 'storage.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    driverName: string;
    parameters?: Record<string, string> | undefined;
}
interface V1beta2AllocatedDeviceStatus {
    driver: string;
    pool: string;
    device: string;
    conditions: Condition[] | null;
    data?: Record<string, unknown> | undefined;
    networkData?: V1beta2NetworkDeviceData | undefined;
    shareID?: string | undefined;
}
interface V1beta2AllocationResult {
    devices: V1beta2DeviceAllocationResult;
    nodeSelector?: NodeSelector$1 | undefined;
    allocationTimestamp?: string | undefined;
}
interface V1beta2CELDeviceSelector {
    expression: string;
}
interface V1beta2CapacityRequestPolicy {
    default: string | null;
    validValues?: string[] | undefined;
    validRange?: V1beta2CapacityRequestPolicyRange | undefined;
}
interface V1beta2CapacityRequestPolicyDraft {
    default?: number | string | null | undefined;
    validValues?: (number | string)[] | undefined;
    validRange?: V1beta2CapacityRequestPolicyRangeDraft | undefined;
}
interface V1beta2CapacityRequestPolicyRange {
    min: string;
    max?: string | undefined;
    step?: string | undefined;
}
interface V1beta2CapacityRequestPolicyRangeDraft {
    min: number | string;
    max?: number | string | undefined;
    step?: number | string | undefined;
}
interface V1beta2CapacityRequirements {
    requests?: Record<string, string> | undefined;
}
interface V1beta2CapacityRequirementsDraft {
    requests?: Record<string, number | string> | undefined;
}
interface V1beta2Counter {
    value: string;
}
interface V1beta2CounterDraft {
    value: number | string;
}
interface V1beta2CounterSet {
    name: string;
    counters: Record<string, V1beta2Counter>;
}
interface V1beta2CounterSetDraft {
    name: string;
    counters: Record<string, V1beta2CounterDraft>;
}
interface V1beta2Device {
    name: string;
    attributes?: Record<string, V1beta2DeviceAttribute> | undefined;
    capacity?: Record<string, V1beta2DeviceCapacity> | undefined;
    consumesCounters?: V1beta2DeviceCounterConsumption[] | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    taints?: V1beta2DeviceTaint[] | undefined;
    bindsToNode?: boolean | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    allowMultipleAllocations?: boolean | undefined;
    nodeAllocatableResources?: Record<string, V1beta2NodeAllocatableResource> | undefined;
}
interface V1beta2DeviceAllocationConfiguration {
    source: 'FromClaim' | 'FromClass';
    requests?: string[] | undefined;
    opaque?: V1beta2OpaqueDeviceConfiguration | undefined;
}
interface V1beta2DeviceAllocationResult {
    results?: V1beta2DeviceRequestAllocationResult[] | undefined;
    config?: V1beta2DeviceAllocationConfiguration[] | undefined;
}
interface V1beta2DeviceAttribute {
    int?: number | undefined;
    bool?: boolean | undefined;
    string?: string | undefined;
    version?: string | undefined;
    ints?: number[] | undefined;
    bools?: boolean[] | undefined;
    strings?: string[] | undefined;
    versions?: string[] | undefined;
}
interface V1beta2DeviceCapacity {
    value: string;
    requestPolicy?: V1beta2CapacityRequestPolicy | undefined;
}
interface V1beta2DeviceCapacityDraft {
    value: number | string;
    requestPolicy?: V1beta2CapacityRequestPolicyDraft | undefined;
}
interface V1beta2DeviceClaim {
    requests: V1beta2DeviceRequest[] | null;
    constraints?: V1beta2DeviceConstraint[] | undefined;
    config?: V1beta2DeviceClaimConfiguration[] | undefined;
}
interface V1beta2DeviceClaimConfiguration {
    requests?: string[] | undefined;
    opaque?: V1beta2OpaqueDeviceConfiguration | undefined;
}
interface V1beta2DeviceClaimDraft {
    requests?: V1beta2DeviceRequestDraft[] | null | undefined;
    constraints?: V1beta2DeviceConstraint[] | undefined;
    config?: V1beta2DeviceClaimConfiguration[] | undefined;
}
interface V1beta2DeviceClass {
    kind: 'DeviceClass';
    apiVersion: 'resource.k8s.io/v1beta2';
    metadata: ObjectMetadata;
    spec: V1beta2DeviceClassSpec;
}
interface V1beta2DeviceClassApply {
    kind?: 'DeviceClass' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta2DeviceClassSpec | undefined;
}
interface V1beta2DeviceClassConfiguration {
    opaque?: V1beta2OpaqueDeviceConfiguration | undefined;
}
interface V1beta2DeviceClassDraft {
    kind?: 'DeviceClass' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: NewMetadata;
    spec?: V1beta2DeviceClassSpec | undefined;
}
interface V1beta2DeviceClassSpec {
    selectors?: V1beta2DeviceSelector[] | undefined;
    config?: V1beta2DeviceClassConfiguration[] | undefined;
    extendedResourceName?: string | undefined;
}
interface V1beta2DeviceConstraint {
    requests?: string[] | undefined;
    matchAttribute?: string | undefined;
    distinctAttribute?: string | undefined;
}
interface V1beta2DeviceCounterConsumption {
    counterSet: string;
    counters: Record<string, V1beta2Counter>;
    compatibilityGroups?: string[] | undefined;
}
interface V1beta2DeviceCounterConsumptionDraft {
    counterSet: string;
    counters: Record<string, V1beta2CounterDraft>;
    compatibilityGroups?: string[] | undefined;
}
interface V1beta2DeviceDerivedAttribute {
    name: string;
    expression: string;
}
interface V1beta2DeviceDraft {
    name: string;
    attributes?: Record<string, V1beta2DeviceAttribute> | undefined;
    capacity?: Record<string, V1beta2DeviceCapacityDraft> | undefined;
    consumesCounters?: V1beta2DeviceCounterConsumptionDraft[] | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    taints?: V1beta2DeviceTaint[] | undefined;
    bindsToNode?: boolean | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    allowMultipleAllocations?: boolean | undefined;
    nodeAllocatableResources?: Record<string, V1beta2NodeAllocatableResourceDraft> | undefined;
}
interface V1beta2DeviceRequest {
    name: string;
    exactly?: V1beta2ExactDeviceRequest | undefined;
    firstAvailable?: V1beta2DeviceSubRequest[] | undefined;
}
interface V1beta2DeviceRequestAllocationResult {
    request: string;
    driver: string;
    pool: string;
    device: string;
    adminAccess?: boolean | undefined;
    tolerations?: V1beta2DeviceToleration[] | undefined;
    bindingConditions?: string[] | undefined;
    bindingFailureConditions?: string[] | undefined;
    shareID?: string | undefined;
    consumedCapacity?: Record<string, string> | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface V1beta2DeviceRequestDraft {
    name: string;
    exactly?: V1beta2ExactDeviceRequestDraft | undefined;
    firstAvailable?: V1beta2DeviceSubRequestDraft[] | undefined;
}
interface V1beta2DeviceSelector {
    cel?: V1beta2CELDeviceSelector | undefined;
}
interface V1beta2DeviceSubRequest {
    name: string;
    deviceClassName: string;
    selectors?: V1beta2DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    tolerations?: V1beta2DeviceToleration[] | undefined;
    capacity?: V1beta2CapacityRequirements | undefined;
    derivedAttributes?: V1beta2DeviceDerivedAttribute[] | undefined;
}
interface V1beta2DeviceSubRequestDraft {
    name: string;
    deviceClassName: string;
    selectors?: V1beta2DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    tolerations?: V1beta2DeviceToleration[] | undefined;
    capacity?: V1beta2CapacityRequirementsDraft | undefined;
    derivedAttributes?: V1beta2DeviceDerivedAttribute[] | undefined;
}
interface V1beta2DeviceTaint {
    key: string;
    value?: string | undefined;
    effect: 'NoExecute' | 'NoSchedule' | 'None' | (string & {});
    timeAdded?: string | undefined;
}
interface V1beta2DeviceTaintApply {
    key?: string | undefined;
    value?: string | undefined;
    effect?: 'NoExecute' | 'NoSchedule' | 'None' | (string & {}) | undefined;
    timeAdded?: string | undefined;
}
interface V1beta2DeviceTaintRule {
    kind: 'DeviceTaintRule';
    apiVersion: 'resource.k8s.io/v1beta2';
    metadata: ObjectMetadata;
    spec: V1beta2DeviceTaintRuleSpec;
    status: V1beta2DeviceTaintRuleStatus;
}
interface V1beta2DeviceTaintRuleApply {
    kind?: 'DeviceTaintRule' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta2DeviceTaintRuleSpecApply | undefined;
    status?: V1beta2DeviceTaintRuleStatus | undefined;
}
interface V1beta2DeviceTaintRuleDraft {
    kind?: 'DeviceTaintRule' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: NewMetadata;
    spec: V1beta2DeviceTaintRuleSpec;
    status?: V1beta2DeviceTaintRuleStatus | undefined;
}
interface V1beta2DeviceTaintRuleSpec {
    deviceSelector?: V1beta2DeviceTaintSelector | undefined;
    taint: V1beta2DeviceTaint;
}
interface V1beta2DeviceTaintRuleSpecApply {
    deviceSelector?: V1beta2DeviceTaintSelector | undefined;
    taint?: V1beta2DeviceTaintApply | undefined;
}
interface V1beta2DeviceTaintRuleStatus {
    conditions?: Condition[] | undefined;
}
interface V1beta2DeviceTaintSelector {
    driver?: string | undefined;
    pool?: string | undefined;
    device?: string | undefined;
}
interface V1beta2DeviceToleration {
    key?: string | undefined;
    operator?: 'Equal' | 'Exists' | undefined;
    value?: string | undefined;
    effect?: 'NoExecute' | 'NoSchedule' | 'None' | (string & {}) | undefined;
    tolerationSeconds?: number | undefined;
}
interface V1beta2ExactDeviceRequest {
    deviceClassName: string;
    selectors?: V1beta2DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    adminAccess?: boolean | undefined;
    tolerations?: V1beta2DeviceToleration[] | undefined;
    capacity?: V1beta2CapacityRequirements | undefined;
    derivedAttributes?: V1beta2DeviceDerivedAttribute[] | undefined;
}
interface V1beta2ExactDeviceRequestDraft {
    deviceClassName: string;
    selectors?: V1beta2DeviceSelector[] | undefined;
    allocationMode?: 'All' | 'ExactCount' | (string & {}) | undefined;
    count?: number | undefined;
    adminAccess?: boolean | undefined;
    tolerations?: V1beta2DeviceToleration[] | undefined;
    capacity?: V1beta2CapacityRequirementsDraft | undefined;
    derivedAttributes?: V1beta2DeviceDerivedAttribute[] | undefined;
}
interface V1beta2NetworkDeviceData {
    interfaceName?: string | undefined;
    ips?: string[] | undefined;
    hardwareAddress?: string | undefined;
}
interface V1beta2NodeAllocatableMapping {
    capacityKey?: string | undefined;
    capacityMultiplier?: string | undefined;
    deviceMultiplier?: string | undefined;
}
interface V1beta2NodeAllocatableMappingDraft {
    capacityKey?: string | undefined;
    capacityMultiplier?: number | string | undefined;
    deviceMultiplier?: number | string | undefined;
}
interface V1beta2NodeAllocatableOverhead {
    perPod?: string | undefined;
    perContainer?: string | undefined;
}
interface V1beta2NodeAllocatableOverheadDraft {
    perPod?: number | string | undefined;
    perContainer?: number | string | undefined;
}
interface V1beta2NodeAllocatableResource {
    mapping?: V1beta2NodeAllocatableMapping | undefined;
    overhead?: V1beta2NodeAllocatableOverhead | undefined;
}
interface V1beta2NodeAllocatableResourceDraft {
    mapping?: V1beta2NodeAllocatableMappingDraft | undefined;
    overhead?: V1beta2NodeAllocatableOverheadDraft | undefined;
}
interface V1beta2OpaqueDeviceConfiguration {
    driver: string;
    parameters: Record<string, unknown>;
}
interface V1beta2ResourceClaim {
    kind: 'ResourceClaim';
    apiVersion: 'resource.k8s.io/v1beta2';
    metadata: NamespacedMetadata;
    spec: V1beta2ResourceClaimSpec;
    status: V1beta2ResourceClaimStatus;
}
interface V1beta2ResourceClaimApply {
    kind?: 'ResourceClaim' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta2ResourceClaimSpecDraft | undefined;
    status?: V1beta2ResourceClaimStatus | undefined;
}
interface V1beta2ResourceClaimConsumerReference {
    apiGroup?: string | undefined;
    resource: string;
    name: string;
    uid: string;
}
interface V1beta2ResourceClaimDraft {
    kind?: 'ResourceClaim' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: NewMetadata;
    spec?: V1beta2ResourceClaimSpecDraft | undefined;
    status?: V1beta2ResourceClaimStatus | undefined;
}
interface V1beta2ResourceClaimSpec {
    devices: V1beta2DeviceClaim;
}
interface V1beta2ResourceClaimSpecDraft {
    devices?: V1beta2DeviceClaimDraft | undefined;
}
interface V1beta2ResourceClaimStatus {
    allocation?: V1beta2AllocationResult | undefined;
    reservedFor?: V1beta2ResourceClaimConsumerReference[] | undefined;
    devices?: V1beta2AllocatedDeviceStatus[] | undefined;
}
interface V1beta2ResourceClaimTemplate {
    kind: 'ResourceClaimTemplate';
    apiVersion: 'resource.k8s.io/v1beta2';
    metadata: NamespacedMetadata;
    spec: V1beta2ResourceClaimTemplateSpec;
}
interface V1beta2ResourceClaimTemplateApply {
    kind?: 'ResourceClaimTemplate' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta2ResourceClaimTemplateSpecDraft | undefined;
}
interface V1beta2ResourceClaimTemplateDraft {
    kind?: 'ResourceClaimTemplate' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: NewMetadata;
    spec?: V1beta2ResourceClaimTemplateSpecDraft | undefined;
}
interface V1beta2ResourceClaimTemplateSpec {
    metadata: TemplateMetadata;
    spec: V1beta2ResourceClaimSpec;
}
interface V1beta2ResourceClaimTemplateSpecDraft {
    metadata?: MetadataDraft | undefined;
    spec?: V1beta2ResourceClaimSpecDraft | undefined;
}
interface V1beta2ResourcePool {
    name: string;
    generation: number;
    resourceSliceCount: number;
}
interface V1beta2ResourcePoolApply {
    name?: string | undefined;
    generation?: number | undefined;
    resourceSliceCount?: number | undefined;
}
interface V1beta2ResourceSlice {
    kind: 'ResourceSlice';
    apiVersion: 'resource.k8s.io/v1beta2';
    metadata: ObjectMetadata;
    spec: V1beta2ResourceSliceSpec;
}
interface V1beta2ResourceSliceApply {
    kind?: 'ResourceSlice' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: AppliedMetadata;
    spec?: V1beta2ResourceSliceSpecApply | undefined;
}
interface V1beta2ResourceSliceDraft {
    kind?: 'ResourceSlice' | undefined;
    apiVersion?: 'resource.k8s.io/v1beta2' | undefined;
    metadata: NewMetadata;
    spec: V1beta2ResourceSliceSpecDraft;
}
interface V1beta2ResourceSliceSpec {
    driver: string;
    pool: V1beta2ResourcePool;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    devices?: V1beta2Device[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: V1beta2CounterSet[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface V1beta2ResourceSliceSpecApply {
    driver?: string | undefined;
    pool?: V1beta2ResourcePoolApply | undefined;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelectorApply | undefined;
    allNodes?: boolean | undefined;
    devices?: V1beta2DeviceDraft[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: V1beta2CounterSetDraft[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface V1beta2ResourceSliceSpecDraft {
    driver: string;
    pool: V1beta2ResourcePool;
    nodeName?: string | undefined;
    nodeSelector?: NodeSelector$1 | undefined;
    allNodes?: boolean | undefined;
    devices?: V1beta2DeviceDraft[] | undefined;
    perDeviceNodeSelection?: boolean | undefined;
    sharedCounters?: V1beta2CounterSetDraft[] | undefined;
    partitionTypeAttribute?: string | undefined;
    skipNodeOperations?: ('*' | 'NodePrepareResources' | 'NodeUnprepareResources')[] | undefined;
}
interface ValidatingAdmissionPolicy {
    kind: 'ValidatingAdmissionPolicy';
    apiVersion: 'admissionregistration.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: ValidatingAdmissionPolicySpec;
    status: ValidatingAdmissionPolicyStatus;
}
interface ValidatingAdmissionPolicyApply {
    kind?: 'ValidatingAdmissionPolicy' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ValidatingAdmissionPolicySpecApply | undefined;
    status?: ValidatingAdmissionPolicyStatus | undefined;
}
interface ValidatingAdmissionPolicyBinding {
    kind: 'ValidatingAdmissionPolicyBinding';
    apiVersion: 'admissionregistration.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: ValidatingAdmissionPolicyBindingSpec;
}
interface ValidatingAdmissionPolicyBindingApply {
    kind?: 'ValidatingAdmissionPolicyBinding' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: ValidatingAdmissionPolicyBindingSpecApply | undefined;
}
interface ValidatingAdmissionPolicyBindingDraft {
    kind?: 'ValidatingAdmissionPolicyBinding' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: ValidatingAdmissionPolicyBindingSpec;
}
interface ValidatingAdmissionPolicyBindingSpec {
    policyName: string;
    paramRef?: ParamRef | undefined;
    matchResources?: MatchResources | undefined;
    validationActions: ('Audit' | 'Deny' | 'Warn')[];
}
interface ValidatingAdmissionPolicyBindingSpecApply {
    policyName?: string | undefined;
    paramRef?: ParamRef | undefined;
    matchResources?: MatchResources | undefined;
    validationActions?: ('Audit' | 'Deny' | 'Warn')[] | undefined;
}
interface ValidatingAdmissionPolicyDraft {
    kind?: 'ValidatingAdmissionPolicy' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec?: ValidatingAdmissionPolicySpec | undefined;
    status?: ValidatingAdmissionPolicyStatus | undefined;
}
interface ValidatingAdmissionPolicySpec {
    paramKind?: ParamKind | undefined;
    matchConstraints?: MatchResources | undefined;
    validations?: Validation[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    auditAnnotations?: AuditAnnotation[] | undefined;
    matchConditions?: MatchCondition[] | undefined;
    variables?: Variable[] | undefined;
}
interface ValidatingAdmissionPolicySpecApply {
    paramKind?: ParamKind | undefined;
    matchConstraints?: MatchResources | undefined;
    validations?: Validation[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    auditAnnotations?: AuditAnnotation[] | undefined;
    matchConditions?: MatchConditionApply[] | undefined;
    variables?: VariableApply[] | undefined;
}
interface ValidatingAdmissionPolicyStatus {
    observedGeneration?: number | undefined;
    typeChecking?: TypeChecking | undefined;
    conditions?: Condition[] | undefined;
}
interface ValidatingWebhook {
    name: string;
    clientConfig: WebhookClientConfig;
    rules?: RuleWithOperations[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    namespaceSelector?: LabelSelector | undefined;
    sideEffects: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown';
    timeoutSeconds?: number | undefined;
    admissionReviewVersions: string[];
    matchPolicy?: 'Equivalent' | 'Exact' | undefined;
    objectSelector?: LabelSelector | undefined;
    matchConditions?: MatchCondition[] | undefined;
}
interface ValidatingWebhookApply {
    name: string;
    clientConfig?: WebhookClientConfigApply | undefined;
    rules?: RuleWithOperations[] | undefined;
    failurePolicy?: 'Fail' | 'Ignore' | undefined;
    namespaceSelector?: LabelSelector | undefined;
    sideEffects?: 'None' | 'NoneOnDryRun' | 'Some' | 'Unknown' | undefined;
    timeoutSeconds?: number | undefined;
    admissionReviewVersions?: string[] | undefined;
    matchPolicy?: 'Equivalent' | 'Exact' | undefined;
    objectSelector?: LabelSelector | undefined;
    matchConditions?: MatchConditionApply[] | undefined;
}
interface ValidatingWebhookConfiguration {
    kind: 'ValidatingWebhookConfiguration';
    apiVersion: 'admissionregistration.k8s.io/v1';
    metadata: ObjectMetadata;
    webhooks?: ValidatingWebhook[] | undefined;
}
interface ValidatingWebhookConfigurationApply {
    kind?: 'ValidatingWebhookConfiguration' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    webhooks?: ValidatingWebhookApply[] | undefined;
}
interface ValidatingWebhookConfigurationDraft {
    kind?: 'ValidatingWebhookConfiguration' | undefined;
    apiVersion?: 'admissionregistration.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    webhooks?: ValidatingWebhook[] | undefined;
}
interface Validation {
    expression: string;
    message?: string | undefined;
    reason?: string | undefined;
    messageExpression?: string | undefined;
}
interface ValidationRule {
    rule: string;
    message?: string | undefined;
    messageExpression?: string | undefined;
    reason?: 'FieldValueDuplicate' | 'FieldValueForbidden' | 'FieldValueInvalid' | 'FieldValueRequired' | undefined;
    fieldPath?: string | undefined;
    optionalOldSelf?: boolean | undefined;
}
interface ValidationRule$1 {
    rule: string;
    message?: string | undefined;
    messageExpression?: string | undefined;
    reason?: string | undefined;
    fieldPath?: string | undefined;
    optionalOldSelf?: boolean | undefined;
}
type Values<S, F extends Form> = S extends {
    readonly 'x-kubernetes-int-or-string': true;
} ? number | string : S extends {
    readonly enum: readonly (infer Value)[];
} ? Value : S extends {
    readonly const: infer Value;
} ? Value : S extends {
    readonly type: infer Type;
} ? string extends Type ? any : Typed<Type extends readonly (infer One)[] ? One : Type, S, F> : S extends {
    readonly properties: unknown;
} ? ObjectOf<S, F> : unknown;
interface Variable {
    name: string;
    expression: string;
}
interface VariableApply {
    name: string;
    expression?: string | undefined;
}
interface VersionsOptions {
    readonly from: number;
    readonly before?: number | undefined;
    readonly limit: number;
}
interface Volume {
    name: string;
    hostPath?: HostPathVolumeSource | undefined;
    emptyDir?: EmptyDirVolumeSource | undefined;
    gcePersistentDisk?: GCEPersistentDiskVolumeSource | undefined;
    awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource | undefined;
    gitRepo?: GitRepoVolumeSource | undefined;
    secret?: SecretVolumeSource | undefined;
    nfs?: NFSVolumeSource | undefined;
    iscsi?: ISCSIVolumeSource | undefined;
    glusterfs?: GlusterfsVolumeSource | undefined;
    persistentVolumeClaim?: PersistentVolumeClaimVolumeSource | undefined;
    rbd?: RBDVolumeSource | undefined;
    flexVolume?: FlexVolumeSource | undefined;
    cinder?: CinderVolumeSource | undefined;
    cephfs?: CephFSVolumeSource | undefined;
    flocker?: FlockerVolumeSource | undefined;
    downwardAPI?: DownwardAPIVolumeSource | undefined;
    fc?: FCVolumeSource | undefined;
    azureFile?: AzureFileVolumeSource | undefined;
    configMap?: ConfigMapVolumeSource | undefined;
    vsphereVolume?: VsphereVirtualDiskVolumeSource | undefined;
    quobyte?: QuobyteVolumeSource | undefined;
    azureDisk?: AzureDiskVolumeSource | undefined;
    photonPersistentDisk?: PhotonPersistentDiskVolumeSource | undefined;
    portworxVolume?: PortworxVolumeSource | undefined;
    scaleIO?: ScaleIOVolumeSource | undefined;
    projected?: ProjectedVolumeSource | undefined;
    storageos?: StorageOSVolumeSource | undefined;
    csi?: CSIVolumeSource | undefined;
    ephemeral?: EphemeralVolumeSource | undefined;
    image?: ImageVolumeSource | undefined;
}
interface Volume$1 {
    name: string;
    hostPath?: HostPathVolumeSource$1 | undefined;
    emptyDir?: EmptyDirVolumeSource$1 | undefined;
    gcePersistentDisk?: GCEPersistentDiskVolumeSource$1 | undefined;
    awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource$1 | undefined;
    gitRepo?: GitRepoVolumeSource$1 | undefined;
    secret?: SecretVolumeSource$1 | undefined;
    nfs?: NFSVolumeSource$1 | undefined;
    iscsi?: ISCSIVolumeSource$1 | undefined;
    glusterfs?: GlusterfsVolumeSource$1 | undefined;
    persistentVolumeClaim?: PersistentVolumeClaimVolumeSource$1 | undefined;
    rbd?: RBDVolumeSource$1 | undefined;
    flexVolume?: FlexVolumeSource$1 | undefined;
    cinder?: CinderVolumeSource$1 | undefined;
    cephfs?: CephFSVolumeSource$1 | undefined;
    flocker?: FlockerVolumeSource$1 | undefined;
    downwardAPI?: DownwardAPIVolumeSource$1 | undefined;
    fc?: FCVolumeSource$1 | undefined;
    azureFile?: AzureFileVolumeSource$1 | undefined;
    configMap?: ConfigMapVolumeSource$1 | undefined;
    vsphereVolume?: VsphereVirtualDiskVolumeSource$1 | undefined;
    quobyte?: QuobyteVolumeSource$1 | undefined;
    azureDisk?: AzureDiskVolumeSource$1 | undefined;
    photonPersistentDisk?: PhotonPersistentDiskVolumeSource$1 | undefined;
    portworxVolume?: PortworxVolumeSource$1 | undefined;
    scaleIO?: ScaleIOVolumeSource$1 | undefined;
    projected?: ProjectedVolumeSource$1 | undefined;
    storageos?: StorageOSVolumeSource$1 | undefined;
    csi?: CSIVolumeSource$1 | undefined;
    ephemeral?: EphemeralVolumeSource$1 | undefined;
    image?: ImageVolumeSource$1 | undefined;
}
interface VolumeApply {
    name: string;
    hostPath?: HostPathVolumeSourceApply | undefined;
    emptyDir?: EmptyDirVolumeSourceDraft | undefined;
    gcePersistentDisk?: GCEPersistentDiskVolumeSourceApply | undefined;
    awsElasticBlockStore?: AWSElasticBlockStoreVolumeSourceApply | undefined;
    gitRepo?: GitRepoVolumeSourceApply | undefined;
    secret?: SecretVolumeSource$1 | undefined;
    nfs?: NFSVolumeSourceApply | undefined;
    iscsi?: ISCSIVolumeSourceApply | undefined;
    glusterfs?: GlusterfsVolumeSourceApply | undefined;
    persistentVolumeClaim?: PersistentVolumeClaimVolumeSourceApply | undefined;
    rbd?: RBDVolumeSourceApply | undefined;
    flexVolume?: FlexVolumeSourceApply | undefined;
    cinder?: CinderVolumeSourceApply | undefined;
    cephfs?: CephFSVolumeSourceApply | undefined;
    flocker?: FlockerVolumeSource$1 | undefined;
    downwardAPI?: DownwardAPIVolumeSourceDraft | undefined;
    fc?: FCVolumeSource$1 | undefined;
    azureFile?: AzureFileVolumeSourceApply | undefined;
    configMap?: ConfigMapVolumeSource$1 | undefined;
    vsphereVolume?: VsphereVirtualDiskVolumeSourceApply | undefined;
    quobyte?: QuobyteVolumeSourceApply | undefined;
    azureDisk?: AzureDiskVolumeSourceApply | undefined;
    photonPersistentDisk?: PhotonPersistentDiskVolumeSourceApply | undefined;
    portworxVolume?: PortworxVolumeSourceApply | undefined;
    scaleIO?: ScaleIOVolumeSourceApply | undefined;
    projected?: ProjectedVolumeSourceDraft | undefined;
    storageos?: StorageOSVolumeSource$1 | undefined;
    csi?: CSIVolumeSourceApply | undefined;
    ephemeral?: EphemeralVolumeSourceApply | undefined;
    image?: ImageVolumeSource$1 | undefined;
}
interface VolumeAttachment {
    kind: 'VolumeAttachment';
    apiVersion: 'storage.k8s.io/v1';
    metadata: ObjectMetadata;
    spec: VolumeAttachmentSpec;
    status: VolumeAttachmentStatus;
}
interface VolumeAttachmentApply {
    kind?: 'VolumeAttachment' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    spec?: VolumeAttachmentSpecApply | undefined;
    status?: VolumeAttachmentStatus | undefined;
}
interface VolumeAttachmentDraft {
    kind?: 'VolumeAttachment' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    spec: VolumeAttachmentSpecDraft;
    status?: VolumeAttachmentStatus | undefined;
}
interface VolumeAttachmentSource {
    persistentVolumeName?: string | undefined;
    inlineVolumeSpec?: PersistentVolumeSpec | undefined;
}
interface VolumeAttachmentSourceApply {
    persistentVolumeName?: string | undefined;
    inlineVolumeSpec?: PersistentVolumeSpecApply | undefined;
}
interface VolumeAttachmentSourceDraft {
    persistentVolumeName?: string | undefined;
    inlineVolumeSpec?: PersistentVolumeSpecDraft | undefined;
}
interface VolumeAttachmentSpec {
    attacher: string;
    source: VolumeAttachmentSource;
    nodeName: string;
}
interface VolumeAttachmentSpecApply {
    attacher?: string | undefined;
    source?: VolumeAttachmentSourceApply | undefined;
    nodeName?: string | undefined;
}
interface VolumeAttachmentSpecDraft {
    attacher: string;
    source: VolumeAttachmentSourceDraft;
    nodeName: string;
}
interface VolumeAttachmentStatus {
    attached: boolean;
    attachmentMetadata?: Record<string, string> | undefined;
    attachError?: VolumeError | undefined;
    detachError?: VolumeError | undefined;
}
interface VolumeAttributesClass {
    kind: 'VolumeAttributesClass';
    apiVersion: 'storage.k8s.io/v1';
    metadata: ObjectMetadata;
    driverName: string;
    parameters?: Record<string, string> | undefined;
}
interface VolumeAttributesClassApply {
    kind?: 'VolumeAttributesClass' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: AppliedMetadata;
    driverName?: string | undefined;
    parameters?: Record<string, string> | undefined;
}
interface VolumeAttributesClassDraft {
    kind?: 'VolumeAttributesClass' | undefined;
    apiVersion?: 'storage.k8s.io/v1' | undefined;
    metadata: NewMetadata;
    driverName: string;
    parameters?: Record<string, string> | undefined;
}
interface VolumeDevice {
    name: string;
    devicePath: string;
}
interface VolumeDevice$1 {
    name: string;
    devicePath: string;
}
interface VolumeDeviceApply {
    name?: string | undefined;
    devicePath: string;
}
interface VolumeDraft {
    name: string;
    hostPath?: HostPathVolumeSource$1 | undefined;
    emptyDir?: EmptyDirVolumeSourceDraft | undefined;
    gcePersistentDisk?: GCEPersistentDiskVolumeSource$1 | undefined;
    awsElasticBlockStore?: AWSElasticBlockStoreVolumeSource$1 | undefined;
    gitRepo?: GitRepoVolumeSource$1 | undefined;
    secret?: SecretVolumeSource$1 | undefined;
    nfs?: NFSVolumeSource$1 | undefined;
    iscsi?: ISCSIVolumeSource$1 | undefined;
    glusterfs?: GlusterfsVolumeSource$1 | undefined;
    persistentVolumeClaim?: PersistentVolumeClaimVolumeSource$1 | undefined;
    rbd?: RBDVolumeSource$1 | undefined;
    flexVolume?: FlexVolumeSource$1 | undefined;
    cinder?: CinderVolumeSource$1 | undefined;
    cephfs?: CephFSVolumeSource$1 | undefined;
    flocker?: FlockerVolumeSource$1 | undefined;
    downwardAPI?: DownwardAPIVolumeSourceDraft | undefined;
    fc?: FCVolumeSource$1 | undefined;
    azureFile?: AzureFileVolumeSource$1 | undefined;
    configMap?: ConfigMapVolumeSource$1 | undefined;
    vsphereVolume?: VsphereVirtualDiskVolumeSource$1 | undefined;
    quobyte?: QuobyteVolumeSource$1 | undefined;
    azureDisk?: AzureDiskVolumeSource$1 | undefined;
    photonPersistentDisk?: PhotonPersistentDiskVolumeSource$1 | undefined;
    portworxVolume?: PortworxVolumeSource$1 | undefined;
    scaleIO?: ScaleIOVolumeSource$1 | undefined;
    projected?: ProjectedVolumeSourceDraft | undefined;
    storageos?: StorageOSVolumeSource$1 | undefined;
    csi?: CSIVolumeSource$1 | undefined;
    ephemeral?: EphemeralVolumeSourceDraft | undefined;
    image?: ImageVolumeSource$1 | undefined;
}
interface VolumeError {
    time: string | null;
    message?: string | undefined;
    errorCode?: number | undefined;
}
interface VolumeHealthCondition {
    status: string;
    reason: string;
    message?: string | undefined;
}
interface VolumeHealthCondition$1 {
    status: 'DataLoss' | 'Degraded' | 'Inaccessible';
    reason: string;
    message?: string | undefined;
}
interface VolumeHealthStatus {
    healthConditions?: VolumeHealthCondition$1[] | undefined;
    lastTransitionTime: string | null;
}
interface VolumeMount {
    name: string;
    readOnly?: boolean | undefined;
    mountPath: string;
    subPath?: string | undefined;
    mountPropagation?: string | undefined;
    subPathExpr?: string | undefined;
    recursiveReadOnly?: string | undefined;
    bindMountOptions?: string[] | undefined;
}
interface VolumeMount$1 {
    name: string;
    readOnly?: boolean | undefined;
    mountPath: string;
    subPath?: string | undefined;
    mountPropagation?: 'Bidirectional' | 'HostToContainer' | 'None' | undefined;
    subPathExpr?: string | undefined;
    recursiveReadOnly?: string | undefined;
    bindMountOptions?: string[] | undefined;
}
interface VolumeMountApply {
    name?: string | undefined;
    readOnly?: boolean | undefined;
    mountPath: string;
    subPath?: string | undefined;
    mountPropagation?: 'Bidirectional' | 'HostToContainer' | 'None' | undefined;
    subPathExpr?: string | undefined;
    recursiveReadOnly?: string | undefined;
    bindMountOptions?: string[] | undefined;
}
interface VolumeMountStatus {
    name: string;
    mountPath: string;
    readOnly?: boolean | undefined;
    recursiveReadOnly?: string | undefined;
    volumeStatus?: VolumeStatus | undefined;
}
interface VolumeMountStatus$1 {
    name: string;
    mountPath: string;
    readOnly?: boolean | undefined;
    recursiveReadOnly?: string | undefined;
    volumeStatus?: VolumeStatus$1 | undefined;
}
interface VolumeNodeAffinity {
    required?: NodeSelector$1 | undefined;
}
interface VolumeNodeAffinityApply {
    required?: NodeSelectorApply | undefined;
}
interface VolumeNodeResources {
    count?: number | undefined;
}
interface VolumeProjection {
    secret?: SecretProjection | undefined;
    downwardAPI?: DownwardAPIProjection | undefined;
    configMap?: ConfigMapProjection | undefined;
    serviceAccountToken?: ServiceAccountTokenProjection | undefined;
    clusterTrustBundle?: ClusterTrustBundleProjection | undefined;
    podCertificate?: PodCertificateProjection | undefined;
}
interface VolumeProjection$1 {
    secret?: SecretProjection$1 | undefined;
    downwardAPI?: DownwardAPIProjection$1 | undefined;
    configMap?: ConfigMapProjection$1 | undefined;
    serviceAccountToken?: ServiceAccountTokenProjection$1 | undefined;
    clusterTrustBundle?: ClusterTrustBundleProjection$1 | undefined;
    podCertificate?: PodCertificateProjection$1 | undefined;
}
interface VolumeProjectionDraft {
    secret?: SecretProjection$1 | undefined;
    downwardAPI?: DownwardAPIProjectionDraft | undefined;
    configMap?: ConfigMapProjection$1 | undefined;
    serviceAccountToken?: ServiceAccountTokenProjection$1 | undefined;
    clusterTrustBundle?: ClusterTrustBundleProjection$1 | undefined;
    podCertificate?: PodCertificateProjection$1 | undefined;
}
interface VolumeResourceRequirements {
    limits?: Record<string, string> | undefined;
    requests?: Record<string, string> | undefined;
}
interface VolumeResourceRequirements$1 {
    limits?: Record<string, string> | undefined;
    requests?: Record<string, string> | undefined;
}
interface VolumeResourceRequirementsDraft {
    limits?: Record<string, number | string> | undefined;
    requests?: Record<string, number | string> | undefined;
}
interface VolumeStatus {
    image?: ImageVolumeStatus | undefined;
}
interface VolumeStatus$1 {
    image?: ImageVolumeStatus$1 | undefined;
}
interface VsphereVirtualDiskVolumeSource {
    volumePath: string;
    fsType?: string | undefined;
    storagePolicyName?: string | undefined;
    storagePolicyID?: string | undefined;
}
interface VsphereVirtualDiskVolumeSource$1 {
    volumePath: string;
    fsType?: string | undefined;
    storagePolicyName?: string | undefined;
    storagePolicyID?: string | undefined;
}
interface VsphereVirtualDiskVolumeSourceApply {
    volumePath?: string | undefined;
    fsType?: string | undefined;
    storagePolicyName?: string | undefined;
    storagePolicyID?: string | undefined;
}
interface WatchEvent<T> {
    readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
    readonly object: T;
}
interface WatchFault {
    readonly afterEvents?: number | undefined;
    readonly do: 'expire' | 'close' | 'stall' | 'halfFrame';
}
interface WatchHandle {
    close(): void;
}
interface WatchSelection extends Selection {
    readonly resourceVersion?: string | undefined;
    readonly signal?: AbortSignal | undefined;
    readonly timeoutSeconds?: number | undefined;
}
interface WatchedKind<T = any> extends OwnedKind<T> {
    map(object: T, context: Pick<ReconcileContext, 'client' | 'cache' | 'log'>): readonly ReconcileRequest[] | Promise<readonly ReconcileRequest[]>;
}
interface Watcher {
    onEvents(events: readonly StoreEvent[], revision: number): void;
    onCaughtUp?(): void;
    pace?(): Promise<void> | undefined;
    onError(error: Error): void;
}
interface Webhook<T extends KubeObject$1 = any> {
    readonly kind: DeclaredKind<T> | KindRef<T>;
    mutate?(object: T, request: WebhookRequest<T>): T | void | Promise<T | void>;
    validate?(object: T, request: WebhookRequest<T>): void | Promise<void>;
    readonly operations?: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT')[] | undefined;
    readonly subresource?: string | undefined;
    readonly failurePolicy?: 'Fail' | 'Ignore' | undefined;
    readonly matchPolicy?: 'Exact' | 'Equivalent' | undefined;
    readonly namespaceSelector?: object | undefined;
    readonly objectSelector?: object | undefined;
    readonly matchConditions?: readonly {
        readonly name: string;
        readonly expression: string;
    }[] | undefined;
    readonly sideEffects?: 'None' | 'NoneOnDryRun' | undefined;
    readonly timeoutSeconds?: number | undefined;
    readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined;
}
interface WebhookClientConfig {
    service?: ServiceReference | undefined;
    caBundle?: string | undefined;
    url?: string | undefined;
}
interface WebhookClientConfigApply {
    service?: ServiceReferenceApply | undefined;
    caBundle?: string | undefined;
    url?: string | undefined;
}
interface WebhookConversion {
    clientConfig?: V1WebhookClientConfig | undefined;
    conversionReviewVersions: string[];
}
interface WebhookConversionApply {
    clientConfig?: V1WebhookClientConfigApply | undefined;
    conversionReviewVersions?: string[] | undefined;
}
interface WebhookOptions {
    readonly port: number;
    readonly host?: string | undefined;
    readonly certificates?: string | undefined;
}
interface WebhookRequest<T> {
    readonly uid: string;
    readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
    readonly object: T;
    readonly old: T | undefined;
    readonly name: string;
    readonly namespace: string | undefined;
    readonly subresource: string | undefined;
    readonly user: UserInfo;
    readonly dryRun: boolean;
    readonly options: Readonly<Record<string, unknown>> | undefined;
    readonly client: KubeClient;
    readonly signal: AbortSignal;
    readonly log: Logger;
    warn(text: string): void;
}
interface WeightedPodAffinityTerm {
    weight: number;
    podAffinityTerm: PodAffinityTerm;
}
interface WeightedPodAffinityTerm$1 {
    weight: number;
    podAffinityTerm: PodAffinityTerm$1;
}
type WholeFloats = ReadonlyMap<string, number>;
interface WindowsSecurityContextOptions {
    gmsaCredentialSpecName?: string | undefined;
    gmsaCredentialSpec?: string | undefined;
    runAsUserName?: string | undefined;
    hostProcess?: boolean | undefined;
}
interface WindowsSecurityContextOptions$1 {
    gmsaCredentialSpecName?: string | undefined;
    gmsaCredentialSpec?: string | undefined;
    runAsUserName?: string | undefined;
    hostProcess?: boolean | undefined;
}
interface Workload {
    kind: 'Workload';
    apiVersion: 'scheduling.k8s.io/v1beta1';
    metadata: NamespacedMetadata;
    spec: WorkloadSpec;
}
interface WorkloadApply {
    kind?: 'Workload' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1beta1' | undefined;
    metadata: AppliedMetadata;
    spec?: WorkloadSpecApply | undefined;
}
interface WorkloadDraft {
    kind?: 'Workload' | undefined;
    apiVersion?: 'scheduling.k8s.io/v1beta1' | undefined;
    metadata: NewMetadata;
    spec: WorkloadSpecDraft;
}
type WorkloadPodGroupAllDisruptionMode = Record<string, never>;
type WorkloadPodGroupBasicSchedulingPolicy = Record<string, never>;
interface WorkloadPodGroupDisruptionMode {
    single?: WorkloadPodGroupSingleDisruptionMode | undefined;
    all?: WorkloadPodGroupAllDisruptionMode | undefined;
}
interface WorkloadPodGroupGangSchedulingPolicy {
    minCount?: number | undefined;
}
interface WorkloadPodGroupResourceClaim {
    name: string;
    resourceClaimName?: string | undefined;
    resourceClaimTemplateName?: string | undefined;
}
interface WorkloadPodGroupSchedulingConstraints {
    topology?: V1alpha3TopologyConstraint[] | undefined;
}
interface WorkloadPodGroupSchedulingPolicy {
    basic?: WorkloadPodGroupBasicSchedulingPolicy | undefined;
    gang?: WorkloadPodGroupGangSchedulingPolicy | undefined;
}
type WorkloadPodGroupSingleDisruptionMode = Record<string, never>;
interface WorkloadReference {
    workloadName: string;
    templateName: string;
}
interface WorkloadReferenceApply {
    workloadName?: string | undefined;
    templateName?: string | undefined;
}
interface WorkloadSpec {
    controllerRef?: V1beta1TypedLocalObjectReference | undefined;
    podGroupTemplates: PodGroupTemplate[] | null;
    compositePodGroupTemplates?: CompositePodGroupTemplate[] | undefined;
}
interface WorkloadSpecApply {
    controllerRef?: V1beta1TypedLocalObjectReferenceApply | undefined;
    podGroupTemplates?: PodGroupTemplateApply[] | null | undefined;
    compositePodGroupTemplates?: CompositePodGroupTemplateApply[] | undefined;
}
interface WorkloadSpecDraft {
    controllerRef?: V1beta1TypedLocalObjectReference | undefined;
    podGroupTemplates?: PodGroupTemplateDraft[] | null | undefined;
    compositePodGroupTemplates?: CompositePodGroupTemplateDraft[] | undefined;
}
interface Write {
    readonly key: string;
    readonly value: Buffer | undefined;
    readonly expected?: number | undefined;
    readonly ttl?: number | undefined;
    readonly attachment?: unknown;
}
interface WriteOptions extends ObjectOptions {
    readonly dryRun?: boolean | undefined;
    readonly fieldManager?: string | undefined;
    readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict' | undefined;
}
interface Written<T> {
    readonly result: 'created' | 'updated' | 'unchanged';
    readonly object: T;
}
declare function addFinalizer(object: KubeObject$1, finalizer: string): boolean;
declare const and: <T = any>(...predicates: readonly Predicate<T>[]) => Predicate<T>;
declare const annotationsChanged: Predicate<KubeObject$1>;
declare function attach(client: KubeClient, pod: ObjectName, options?: AttachOptions): Promise<ExecResult>;
declare const badRequest: (message: string) => StatusError;
declare const conflict: (r: GroupResource$1, name: string, why: string) => StatusError;
declare function connect(options?: ConnectOptions): Promise<ClusterClient>;
declare function connectToPort(client: KubeClient, pod: ObjectName, port: number, { namespace }?: {
    readonly namespace?: string | undefined;
}): Promise<Duplex>;
declare function controllerOf(object: Ownable): OwnerReference$1 | undefined;
declare function copyFrom(client: KubeClient, pod: ObjectName, from: string, to: string, options?: CopyOptions): Promise<void>;
declare function copyTo(client: KubeClient, pod: ObjectName, from: string, to: string, options?: CopyOptions): Promise<void>;
declare function createOrPatch<const O extends KubeObject$1>(client: KubeClient, object: O, mutate: (object: NamedObject<O>) => void | Promise<void>): Promise<Written<NamedObject<O>>>;
declare function createOrUpdate<const O extends KubeObject$1>(client: KubeClient, object: O, mutate: (object: NamedObject<O>) => void | Promise<void>): Promise<Written<NamedObject<O>>>;
declare function createServer(options?: ServerOptions): BinnacleServer;
declare function defineKind<T extends KubeObject$1 = never, const Versions extends readonly [
    OwnVersion,
    ...OwnVersion[]
] = readonly [
    OwnVersion,
    ...OwnVersion[]
]>(kind: NoInfer<Omit<Declared<T, Versions>, 'versions'>> & {
    readonly versions: Versions;
}): Declared<T, Versions>;
declare function defineOperator(operator: Operator): Operator;
declare function defineReconciler<T extends KubeObject$1>(reconciler: Reconciler<T>): Reconciler<T>;
declare function defineWatch<T extends KubeObject$1>(watch: WatchedKind<T>): WatchedKind<T>;
declare function defineWebhook<T extends KubeObject$1>(webhook: Webhook<T>): Webhook<T>;
declare function denied(message: string): StatusError;
declare function exec(client: KubeClient, pod: ObjectName, options: ExecOptions): Promise<ExecResult>;
declare function findCondition(object: KubeObject$1, type: string): Condition$1 | undefined;
declare function forbidden(r: GroupResource$1, name: string, why: string, causes?: StatusCause$1[]): StatusError;
declare const generationChanged: Predicate<KubeObject$1>;
declare function hasControllerReference(object: Ownable, owner?: KubeObject$1): boolean;
declare const hasFinalizer: ({ metadata }: KubeObject$1, finalizer: string) => boolean;
declare const honouredGates: readonly [
    'APIResponseCompression',
    'APIServerIdentity',
    'APIServerWebhookAuthenticationToken',
    'AllowInsecureKubeletCertificateSigningRequests',
    'AllowParsingUserUIDFromCertAuth',
    'AllowUnsafeMalformedObjectDeletion',
    'AtomicWriteVolumeUserFields',
    'AuthorizePodWebsocketUpgradeCreatePermission',
    'CBORServingAndStorage',
    'CSIServiceAccountTokenSecrets',
    'CSIVolumeHealth',
    'ClearingNominatedNodeNameAfterBinding',
    'ClusterTrustBundle',
    'ClusterTrustBundleProjection',
    'ComponentFlagz',
    'ComponentStatusz',
    'CompositePodGroup',
    'ConstrainedImpersonation',
    'ContainerRestartRules',
    'ContainerStopSignals',
    'CoordinatedLeaderElection',
    'CrossNamespaceVolumeDataSource',
    'DRAAdminAccess',
    'DRAConsumableCapacity',
    'DRADerivedAttributes',
    'DRADeviceBindingConditions',
    'DRADeviceCompatibilityGroups',
    'DRADeviceTaintRules',
    'DRADeviceTaints',
    'DRAExtendedResource',
    'DRAFractionalCapacityRange',
    'DRAListTypeAttributes',
    'DRANodeAllocatableResources',
    'DRAOptionalNodeOperations',
    'DRAPartitionableDevices',
    'DRAPartitionableDevicesType',
    'DRAPrioritizedList',
    'DRAResourceClaimDeviceStatus',
    'DRAResourceClaimGranularStatusAuthorization',
    'DRAResourcePoolStatus',
    'DRAWorkloadResourceClaims',
    'DeclarativeValidationBeta',
    'DeploymentReplicaSetTerminatingReplicas',
    'DynamicResourceAllocation',
    'EmptyDirVolumeMode',
    'EnvFiles',
    'EtcdRangeStream',
    'EvictionRequestAPI',
    'ExcludeAdmissionWebhookVirtualResources',
    'GRPCContainerProbeTLS',
    'GenericWorkload',
    'H2CContainerProbe',
    'HPAConfigurableTolerance',
    'HPAGeneration',
    'HPAScaleToZero',
    'HostnameOverride',
    'ImageVolume',
    'ImageVolumeWithDigest',
    'InPlacePodLevelResourcesVerticalScaling',
    'InPlacePodVerticalScaling',
    'InPlacePodVerticalScalingMemoryBackedVolumes',
    'InPlacePodVerticalScalingSchedulerPreemption',
    'JobManagedBy',
    'KubeletInUserNamespace',
    'KubeletServiceAccountTokenForCredentialProviders',
    'LoggingAlphaOptions',
    'LoggingBetaOptions',
    'ManifestBasedAdmissionControlConfig',
    'MatchLabelKeysInPodTopologySpread',
    'MatchLabelKeysInPodTopologySpreadSelectorMerge',
    'MaxUnavailableStatefulSet',
    'MutableCSINodeAllocatableCount',
    'MutablePVNodeAffinity',
    'MutablePodResourcesForSuspendedJobs',
    'MutableSchedulingDirectivesForSuspendedJobs',
    'MutatingAdmissionPolicy',
    'NativeHistograms',
    'NodeDeclaredFeatures',
    'OpenAPIEnums',
    'PersistentVolumeClaimUnusedSinceTime',
    'PodCertificateRequest',
    'PodDeletionCost',
    'PodGroupPreemptionPolicy',
    'PodLevelResources',
    'PodLevelResourcesFixDefaulting',
    'PodLevelResourcesFixKubeletQOSClass',
    'PodLogsQuerySplitStreams',
    'PodObservedGenerationTracking',
    'PodTopologyLabelsAdmission',
    'PortForwardWebsockets',
    'PreferSameTrafficDistribution',
    'ProcMountType',
    'RecoverVolumeExpansionFailure',
    'RelaxedServiceNameValidation',
    'RemoteRequestHeaderUID',
    'ResourceHealthStatus',
    'ResourceHealthStatusMessage',
    'RestartAllContainersOnContainerExits',
    'SELinuxChangePolicy',
    'SELinuxMount',
    'SELinuxMountReadWriteOncePod',
    'ServiceAccountNodeAudienceRestriction',
    'ServiceCIDRStatusFieldWiping',
    'ShardedListAndWatch',
    'SizeBasedListCostEstimate',
    'StatefulSetRecreateStrategy',
    'StorageVersionAPI',
    'StorageVersionHash',
    'StorageVersionMigrator',
    'StrictIPCIDRValidation',
    'StructuredAuthenticationConfigurationEgressSelector',
    'StructuredAuthenticationConfigurationJWKSMetrics',
    'SupplementalGroupsPolicy',
    'TaintTolerationComparisonOperators',
    'TokenRequestServiceAccountUIDValidation',
    'TopologyAwareWorkloadScheduling',
    'TranslateStreamCloseWebsocketRequests',
    'UnauthenticatedHTTP2DOSMitigation',
    'UnknownVersionInteroperabilityProxy',
    'UserNamespacesHostNetworkSupport',
    'UserNamespacesSupport',
    'VolumeAttributesClass',
    'VolumeBindMountOptions',
    'VolumeLimitScaling',
    'WatchList',
    'WatchListCompression',
    'WebhookRoundTripLoadBalancing',
    'WorkloadWithJob'
];
declare function invalidObject(kind: GroupKind, name: string, errors: FieldErrors): StatusError;
declare function isConditionTrue(object: KubeObject$1, type: string): boolean;
declare function kindRef<V extends keyof BuiltinKinds, K extends keyof BuiltinKinds[V] & string>(apiVersion: V, kind: K): KindRef<BuiltinKinds[V][K]>;
declare const labelsChanged: Predicate<KubeObject$1>;
declare function logs(client: KubeClient, pod: ObjectName, options?: LogOptions): AsyncGenerator<string, void, undefined>;
declare function manifestsOf(operator: Operator, options?: ManifestsOptions): OperatorManifest[];
declare const not: <T = any>(predicate: Predicate<T>) => Predicate<T>;
declare const notFound: (r: GroupResource$1, name: string) => StatusError;
declare const openMemoryStore: (options?: CompactionOptions) => Store;
declare const or: <T = any>(...predicates: readonly Predicate<T>[]) => Predicate<T>;
declare function portForward(client: KubeClient, pod: ObjectName, port: number, { namespace, localPort, address, onError }?: PortForwardOptions): Promise<PortForward>;
declare function removeCondition(object: KubeObject$1, type: string): boolean;
declare function removeFinalizer(object: KubeObject$1, finalizer: string): boolean;
declare function removeOwnerReference(owner: KubeObject$1, object: Ownable): boolean;
declare const resourceVersionChanged: Predicate<KubeObject$1>;
declare function retryOnConflict<T>(work: () => Promise<T>, { attempts, delay }?: RetryOptions): Promise<T>;
declare function runOperator(operator: Operator, options: RunOptions): RunningOperator;
declare function runUntilSignal(operator: Operator, options: RunOptions): Promise<void>;
declare function setCondition(object: KubeObject$1, condition: NewCondition, now?: number): boolean;
declare function setControllerReference(owner: KubeObject$1, object: Ownable, { blockOwnerDeletion }?: {
    readonly blockOwnerDeletion?: boolean | undefined;
}): void;
declare function setOwnerReference(owner: KubeObject$1, object: Ownable, { blockOwnerDeletion }?: {
    readonly blockOwnerDeletion?: boolean | undefined;
}): void;
declare function sharedInformers(client: KubeClient, { transform }?: {
    readonly transform?: <T extends KubeObject$1>(object: T) => T;
}): SharedInformers;
declare const stages: readonly [
    'RequestReceived',
    'ResponseStarted',
    'ResponseComplete',
    'Panic'
];
declare function structuralSchema(schema: object): JsonSchema;
declare function takeSnapshot(client: KubeClient, options?: TakeSnapshotOptions): Promise<SnapshotList>;
declare function terminalError(reason: unknown): TerminalError;
declare const tooManyRequests: (message: string, retryAfterSeconds: number, causes?: StatusCause$1[]) => StatusError;
declare const unavailable: (message: string) => StatusError;
declare function until<const O extends KubeObject$1>(client: KubeClient, object: O, condition: UntilCondition<NamedObject<O>>, options?: UntilOptions): Promise<NamedObject<O>>;
declare function withoutManagedFields<T extends KubeObject$1>(object: T): T;
