/** The flags of commands that talk to a cluster. */
import { flag } from '../../server/options/flag.js'
import { string } from '../../server/options/value-types.js'

/** Says which cluster, as `connect()` takes it. */
export const clusterFlags = (section: string) => ({
  kubeconfig: flag<string | undefined>({
    section,
    type: string,
    default: undefined,
    help: 'Kubeconfig file. Default: $KUBECONFIG, or ~/.kube/config.'
  }),
  context: flag<string | undefined>({ section, type: string, default: undefined, help: 'Context of the kubeconfig file.' })
})
