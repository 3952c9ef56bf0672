import { receivePresence } from '#features/messages/server/presence/index.ts'
import { fail } from '#kit/errors.ts'
import { networkOf } from '#server/http/rate-limits.ts'
import { implement, type PublicCtx, type RequestInfo } from '#server/http/route.ts'
import { webchat, webchatChannels } from '../contract.ts'
import { takeAct } from './acts.ts'
import { createChannel, newProofSecret, readChannels, renewToken, saveChannel } from './channels.ts'
import { readConversation, takeFile, takeRead, takeText } from './conversation.ts'
import { endVisit, transcriptOf } from './end-visit.ts'
import { openVisit } from './open-visit.ts'
import { trySite } from './try-site.ts'
import { describeChannel, type Visitor, visitorOf } from './visitors.ts'

/** Authenticates the requesting visitor, with the rate limit of users (decision B22). */
async function asking({ platform }: PublicCtx, request: RequestInfo, reads = false): Promise<Visitor> {
  const visitor = await visitorOf(platform, request.bearer, request.ip, reads)
  await platform.limits.use('api', `webchat:${visitor.visitorId}`)
  return visitor
}

const done = { message: 'ok' }

/** Routes of visitors and of channel settings. */
export const webchatRoutes = [
  ...implement(webchat, {
    config: async ({ platform }, { query, request }) => {
      await platform.limits.use('widgetOpen', networkOf(request.ip))
      return describeChannel(platform, query.token)
    },
    session: ({ platform }, { body, request }) => openVisit(platform, request, body),
    list: async (ctx, { query, request }) => readConversation(ctx.platform, await asking(ctx, request, true), query),
    send: async (ctx, { body, request }) => takeText(ctx.platform, await asking(ctx, request), body),
    upload: async (ctx, { request, receive }) => {
      const { platform } = ctx
      const visitor = await asking(ctx, request)
      await platform.limits.use('widget', visitor.visitorId)
      return receive(visitor.tenantId, async (body, [file]) =>
        takeFile(platform, visitor, { ...body, file: file ?? fail('ERR_VALIDATION', { file: 'Anexe um arquivo.' }) }),
      )
    },
    act: async (ctx, { params, body, request }) => {
      await takeAct(ctx.platform, await asking(ctx, request), params.messageId, body)
      return done
    },
    typing: async (ctx, { body, request }) => {
      const { tenantId, connectionId, visitorId } = await asking(ctx, request)
      await receivePresence(ctx.platform, { tenantId, connectionId, conversationKey: visitorId, state: body.state })
      return done
    },
    read: async (ctx, { body, request }) => {
      await takeRead(ctx.platform, await asking(ctx, request), body.upTo)
      return done
    },
    end: async (ctx, { request }) => {
      await endVisit(ctx.platform, await asking(ctx, request))
      return done
    },
    transcript: async (ctx, { request }) => transcriptOf(ctx.platform, await asking(ctx, request, true)),
  }),
  ...implement(webchatChannels, {
    list: (ctx) => readChannels(ctx),
    create: (ctx, { body }) => createChannel(ctx, body),
    update: (ctx, { params, body }) => saveChannel(ctx, params.id, body),
    renew: (ctx, { params }) => renewToken(ctx, params.id),
    test: (ctx, { params, body }) => trySite(ctx, params.id, body.url),
    newSecret: (ctx, { params }) => newProofSecret(ctx, params.id),
  }),
]
