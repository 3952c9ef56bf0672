import type { FeatureMakers } from './maker.ts'

export const makers: FeatureMakers = {
  params: {
    'plans.id': async ({ product }) => {
      const plan = { name: `Plano ${Math.random()}`, value: '10', connections: 1, users: 1 }
      const made = await product.platform.db.asPlatform((db) =>
        db.insertInto('plans').values(plan).returning('id').executeTakeFirstOrThrow(),
      )
      return made.id
    },
  },
  shared: ['plans.id'],
  bodies: {
    'signup.create': { cpfCnpj: '529.982.247-25', email: 'nova@teste.dev', mobilePhone: '11987654321' },
  },
}
