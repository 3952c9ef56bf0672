import { tutorials } from '#features/tutorials/contract.ts'
import { type FeatureMakers, rowsOf } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'tutorialExtras.id': (making) => rowsOf(making).row(making.tenantId, tutorials as never) },
}
