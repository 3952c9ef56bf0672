import type { FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = {
  bodies: { 'recovery.request': { email: 'pessoa@teste.dev' } },
  open: ['auth.logout'],
}
