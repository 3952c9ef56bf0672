import { connectionOf, type FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = {
  params: { 'birthdays.id': connectionOf('lab') },
  bodies: { 'birthdays.save': { hour: 9, message: 'Parabéns!' } },
}
