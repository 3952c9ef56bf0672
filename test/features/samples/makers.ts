import { type FeatureMakers, rowsOf } from '#test/makers/maker.ts'
import { samples } from './samples.ts'

export const makers: FeatureMakers = {
  params: { 'sampleUse.id': (making) => rowsOf(making).row(making.tenantId, samples) },
}
