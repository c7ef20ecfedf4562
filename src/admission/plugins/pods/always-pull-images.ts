import type { Pod } from '../../../apimachinery/api/generated/core-v1.js'
import { forbidden, plainError } from '../../../apimachinery/status/status.js'
import { FieldErrors, Path } from '../../../apimachinery/validation/field.js'
import { containersWithPaths } from '../../../kinds/core/pod/annotations-validation.js'
import { allContainers } from '../../../kinds/core/pod/spec-defaults.js'
import { aggregateText } from '../../../util/go-format.js'
import type { AdmissionAttributes, BuiltinPlugin } from '../../admission.js'

const always = 'Always'

/** Makes Pods pull every image, so that a Pod cannot use an image that is on the node but that its user may not pull. */
export const alwaysPullImages: BuiltinPlugin = {
  name: 'AlwaysPullImages',
  operations: ['CREATE', 'UPDATE'],
  resources: ['pods'],
  admit(attributes) {
    if (hasNoNewImage(attributes)) return
    const { spec }: Pod = attributes.object
    for (const container of allContainers(spec)) container.imagePullPolicy = always
    for (const { image } of spec.volumes ?? []) if (image) image.pullPolicy = always
  },
  // a later plugin may have changed the policies
  validate(attributes) {
    if (hasNoNewImage(attributes)) return
    const { spec }: Pod = attributes.object
    const errors = new FieldErrors()
    const check = (path: Path, policy = '') => policy === always || errors.notSupported(path, policy, [always])
    const at = Path.of('spec')
    for (const [container, path] of containersWithPaths(spec, at)) check(path.child('imagePullPolicy'), container.imagePullPolicy)
    spec.volumes?.forEach(({ image }, i) => {
      if (image) check(at.child('volumes').index(i).child('image', 'pullPolicy'), image.pullPolicy)
    })
    const texts = errors.list.map(({ field, message }) => {
      return forbidden(attributes.resource.groupResource, attributes.name, `${field}: ${message}`).message
    })
    if (texts.length > 0) throw plainError(aggregateText(texts))
  }
}

function hasNoNewImage({ operation, object, oldObject }: AdmissionAttributes): boolean {
  if (operation !== 'UPDATE') return false
  const old = new Set(allContainers((oldObject as Pod).spec).map(({ image }) => image))
  return allContainers((object as Pod).spec).every(({ image }) => old.has(image))
}
