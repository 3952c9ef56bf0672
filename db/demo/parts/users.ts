import type { DemoPart } from '#db/demo/part.ts'
import { claimOwnership } from '#features/tenants/server/index.ts'
import { createUser } from '#features/users/server/index.ts'
import { hashPassword } from '#server/passwords.ts'

/** Users of a company, with their queues; its administrator owns it. */
export const part: DemoPart = {
  after: ['queues'],
  async seed({ db, tenantId, tenant, password, ids }) {
    const passwordHash = await hashPassword(password)
    for (const { name, email, profile, queues } of tenant.staff) {
      const id = await createUser(db, { tenantId, name, email, profile, passwordHash })
      ids.users.set(email, id)
      if (profile === 'admin') await claimOwnership(db, tenantId, id)
      for (const queue of queues)
        await db
          .insertInto('user_queues')
          .values({ tenant_id: tenantId, user_id: id, queue_id: ids.queues.get(queue)! })
          .execute()
    }
  },
}
