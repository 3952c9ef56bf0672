import type { DemoPart } from '#db/demo/part.ts'
import { conversationOf } from '#domain/private-chat/conversation.ts'
import { insertMessage, noteWritten } from '#features/private-chat/server/queries.ts'
import { uuidv7 } from '#server/ids.ts'
import { make } from '#test/make.ts'

const MINUTE = 60_000

/** Message of a private chat: author (index of the staff), age in minutes, and text. */
type Entry = readonly [who: number, minutesAgo: number, text: string]

const betweenTwo: readonly Entry[] = [
  [1, 190, 'Bom dia! O fornecedor confirmou a reposição para quinta.'],
  [0, 186, 'Ótimo. Pode avisar os clientes que estavam esperando?'],
  [1, 184, 'Já separei a lista, começo depois do almoço'],
  [0, 12, 'Quantos ainda faltam?'],
  [1, 9, 'Só três. Termino hoje *sem falta*.'],
]

const ofTeam: readonly Entry[] = [
  [2, 320, 'Pessoal, a promoção do site termina hoje à meia-noite.'],
  [0, 310, 'Quem perguntar depois disso, passem para mim.'],
  [1, 45, 'Entraram cinco conversas sobre frete ao mesmo tempo, alguém me ajuda?'],
  [2, 43, 'Pego duas'],
]

/** Private chats of colleagues: one between two people, and one of a team. */
export const part: DemoPart = {
  after: ['users'],
  async seed({ platform, db, tenantId, ids }) {
    const people = [...ids.users].map(([, id]) => id).slice(0, 3)
    if (people.length < 3) return
    const now = platform.now().getTime()
    const teamId = await make(platform, db).insert('teams', tenantId, { name: 'Loja e estoque' })
    const began = new Date(now - 30 * 24 * 60 * MINUTE)
    for (const userId of people)
      await db.insertInto('team_members').values({ tenant_id: tenantId, team_id: teamId, user_id: userId }).execute()
    await db.updateTable('team_periods').set({ began_at: began }).where('team_id', '=', teamId).execute()
    const write = async ([who, minutesAgo, text]: Entry, isGroup: boolean) => {
      const [senderId, receiverId] = [people[who]!, people[1 - who] ?? people[0]!]
      const at = new Date(now - minutesAgo * MINUTE)
      const conversation = conversationOf(senderId, { id: isGroup ? teamId : receiverId, isGroup })
      const plain = { mediaType: 'text', fileId: null, quotedId: null, mentions: [] } as const
      const whose = { senderId, receiverId: isGroup ? null : receiverId, groupId: isGroup ? teamId : null }
      await insertMessage(db, { id: uuidv7(at.getTime()), conversation, text, ...plain, ...whose }, at)
      if (!isGroup) await noteWritten(db, { conversation, people: [senderId, receiverId] }, at)
    }
    for (const entry of betweenTwo) await write(entry, false)
    for (const entry of ofTeam) await write(entry, true)
  },
}
