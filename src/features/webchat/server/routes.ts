import { hearPresence } from '#features/messages/server/index.ts'
import { implement } from '#server/http/route.ts'
import { webchat, webchatChannels } from '../contract.ts'
import { createChannel, readChannels, renewToken, saveChannel } from './channels.ts'
import { readConversation, takeRead, takeText } from './conversation.ts'
import { openVisit } from './open-visit.ts'
import { describeChannel, visitorOf } from './visitors.ts'

const done = { message: 'ok' }

/** The operations of visitors and of a channel's settings. */
export const webchatRoutes = [
  ...implement(webchat, {
    config: ({ platform }, { query }) => describeChannel(platform, query.token),
    session: ({ platform }, { body, request }) => openVisit(platform, request, body),
    list: async ({ platform }, { query, request }) =>
      readConversation(platform, await visitorOf(platform, request.bearer), query),
    send: async ({ platform }, { body, request }) =>
      takeText(platform, await visitorOf(platform, request.bearer), body),
    typing: async ({ platform }, { body, request }) => {
      const { tenantId, connectionId, visitorId } = await visitorOf(platform, request.bearer)
      await platform.limits.use('api', `webchat:${visitorId}`)
      await hearPresence(platform, { tenantId, connectionId, conversationKey: visitorId, state: body.state })
      return done
    },
    read: async ({ platform }, { body, request }) => {
      await takeRead(platform, await visitorOf(platform, request.bearer), body.upTo)
      return done
    },
  }),
  ...implement(webchatChannels, {
    list: (ctx) => readChannels(ctx),
    create: (ctx, { body }) => createChannel(ctx, body),
    update: (ctx, { params, body }) => saveChannel(ctx, params.id, body),
    renew: (ctx, { params }) => renewToken(ctx, params.id),
  }),
]
