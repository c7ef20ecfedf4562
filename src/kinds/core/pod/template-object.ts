import type { PodTemplate } from '../../../apimachinery/api/generated/core-v1.js'
import { Path } from '../../../apimachinery/validation/field.js'
import { defineKind } from '../../../registry/kind.js'
import { builtinColumns, formatLabels } from '../../columns.js'
import { templateGatedFields } from './gated-fields.js'
import { defaultPodTemplate, validatePodTemplate } from './template.js'
import { podWarnings } from './warnings.js'

/** The kind PodTemplate: a template as an object of its own. */
export const podTemplate = defineKind<PodTemplate>({
  group: '',
  kind: 'PodTemplate',
  resource: 'podtemplates',
  namespaced: true,
  versions: [{ name: 'v1', type: 'core.v1.PodTemplate' }],
  table: {
    columns: builtinColumns<PodTemplate>('podtemplates', {
      Containers: o => o.template.spec.containers?.map(c => c.name).join(','),
      Images: o => o.template.spec.containers?.map(c => c.image).join(','),
      'Pod Labels': o => formatLabels(o.template.metadata.labels)
    })
  },
  generation: { of: o => o.template },
  gatedFields: templateGatedFields('template.spec'),
  strategy: {
    default: o => defaultPodTemplate(o.template),
    validate: (o, errors, _, old) => validatePodTemplate(o.template, Path.of('template'), errors, old?.template),
    warnings: (o, old) => (o.metadata.generation === old?.metadata.generation ? [] : podWarnings(o.template, Path.of('template')))
  },
  deletion: { returnsObject: true }
})
