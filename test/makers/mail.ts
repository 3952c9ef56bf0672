import type { FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = {
  bodies: {
    'companyMail.save': { emailFrom: 'loja@teste.dev' },
    'installationMail.save': { emailFrom: 'loja@teste.dev' },
    'companyMail.test': { to: 'pessoa@teste.dev' },
    'installationMail.test': { to: 'pessoa@teste.dev' },
  },
}
