import { type FeatureMakers, self } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'taskLogs.userId': self },
}
