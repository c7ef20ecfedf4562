import type { Toleration } from '../../apimachinery/api/generated/core-v1.js'
import type { RuntimeClass } from '../../apimachinery/api/generated/node-v1.js'
import { type FieldErrors, Path } from '../../apimachinery/validation/field.js'
import { internalText } from '../../apimachinery/validation/internal-text.js'
import { isDns1123Label } from '../../apimachinery/validation/names.js'
import { validateLabels } from '../../apimachinery/validation/object-meta.js'
import { asNewThenChanges } from '../../registry/checks.js'
import { defineKind } from '../../registry/kind.js'
import { builtinColumns } from '../columns.js'
import { validateContainerResources } from '../core/container/resources.js'
import { validateTolerations } from '../core/pod/toleration-validation.js'
import { deprecatedNodeLabel } from '../deprecated-node-labels.js'
import { validateImmutable } from '../immutable.js'

export const runtimeClass = defineKind<RuntimeClass>({
  group: 'node.k8s.io',
  kind: 'RuntimeClass',
  resource: 'runtimeclasses',
  namespaced: false,
  versions: [{ name: 'v1', type: 'node.v1.RuntimeClass' }],
  table: {
    columns: builtinColumns<RuntimeClass>('node.k8s.io/runtimeclasses', {
      Handler: o => o.handler
    })
  },
  strategy: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    updateChecks: asNewThenChanges,
    validate(o, errors) {
      if (o.handler === '') errors.required('handler')
      else for (const e of isDns1123Label(o.handler)) errors.invalid('handler', o.handler, e)
      if (o.overhead) validateContainerResources({ limits: o.overhead.podFixed }, [], Path.of('overhead'), errors)
      if (!o.scheduling) return
      const at = Path.of('scheduling')
      validateLabels(o.scheduling.nodeSelector, at.child('nodeSelector'), errors)
      validateTolerations(o.scheduling.tolerations ?? [], at.child('tolerations'), errors)
      validateUnique(o.scheduling.tolerations ?? [], at.child('tolerations'), errors)
    },
    validateUpdate(o, old, errors) {
      validateImmutable('handler', o.handler, old.handler, errors)
    },
    warnings: ({ scheduling }) =>
      Object.keys(scheduling?.nodeSelector ?? {}).flatMap(key => {
        const why = deprecatedNodeLabel(key)
        return why ? [`scheduling.nodeSelector: ${why}`] : []
      })
  }
})

/** Refuses duplicate tolerations, which may differ in their seconds. */
function validateUnique(tolerations: readonly Toleration[], path: Path, errors: FieldErrors): void {
  const seen = new Set<string>()
  tolerations.forEach((toleration, i) => {
    const { key, operator, value, effect } = toleration
    const id = JSON.stringify([key ?? '', operator ?? '', value ?? '', effect ?? ''])
    if (seen.has(id)) errors.duplicate(path.index(i), internalText('core.v1.Toleration', toleration))
    seen.add(id)
  })
}
