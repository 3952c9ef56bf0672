import { featureOf, includes } from '#domain/access/plan.ts'
import { keysIn } from '#domain/keys.ts'
import { explain, rulesOf } from '#domain/tickets/visibility.ts'
import { requireVisible } from '#features/visibility/server/index.ts'
import { required } from '#kit/errors.ts'
import { PERMISSIONS, whyNot } from '#kit/permissions.ts'
import { PLAN_FEATURES } from '#kit/plan-features.ts'
import { channelTypes } from '#providers/channels/configs.ts'
import { type Actor, permittedOf, visibilitySettings } from '#server/actors.ts'
import { actorWithin, type ReadCtx } from '#server/context.ts'
import type { Feature } from '#server/feature.ts'
import { implement } from '#server/http/route.ts'
import { access } from '../contract.ts'
import { watchPermissions } from './live.ts'
import { queuesOf } from './queries.ts'

const routes = implement(access, {
  get: async (ctx, { params }) => {
    const actor = await actorOf(ctx, params.id)
    const person = permittedOf(actor, ctx.settings)
    const features = [...channelTypes().map(({ type }) => featureOf(type)), ...Object.keys(PLAN_FEATURES)]
    return {
      user: { id: actor.id, name: actor.name },
      person: { ...person, features: features.filter((feature) => includes(person.plan, feature)) },
      queues: await queuesOf(ctx.db, actor.queueIds),
      permissions: keysIn(PERMISSIONS).map((permission) => ({
        permission,
        allows: PERMISSIONS[permission].allows,
        refusal: whyNot(person, permission),
        operations: ctx.platform.operations.filter((op) => op.can === permission),
      })),
      rules: rulesOf(actor, visibilitySettings(ctx.settings)),
    }
  },
  ticket: async (ctx, { params }) => {
    const actor = await actorOf(ctx, params.id)
    const { facts } = await requireVisible(ctx, params.ticketId)
    return explain(facts, actor, visibilitySettings(ctx.settings), null)
  },
})

/** Returns a user of the company who was not deleted. */
const actorOf = async (ctx: ReadCtx, id: number): Promise<Actor> =>
  required(await actorWithin(ctx, id), 'ERR_NO_USER_FOUND')

/** Server part of the feature `access`: the permissions of users and the reasons for denials. */
export const accessFeature: Feature = {
  name: 'access',
  titles: { access: 'Acessos e permissões' },
  routes,
  attach: watchPermissions,
}
