import { isQuiet } from '#domain/calendar/quiet.ts'
import type { Payload } from '#kit/events.ts'
import { isElected } from '#web/alerts/election.ts'
import { showNotice } from '#web/alerts/notices.ts'
import { allPresence, RECORDING, VISIBLE } from '#web/alerts/presence.ts'
import { play } from '#web/alerts/sounds.ts'
import { readPreferences } from '#web/preferences.ts'
import { isSettingOn } from '#web/session/permissions.ts'
import { openPath } from '#web/shell/route.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import type { taskEvents } from '../tasks.ts'

/** Notifies the user of a task in the page, with sound and desktop notification if enabled. */
export async function announce({ id, name, reason, by }: Payload<typeof taskEvents.notice>): Promise<void> {
  const path = `/tarefas?id=${id}`
  const title = reason === 'reminder' ? t('Lembrete de tarefa') : t('{who} passou uma tarefa a você', { who: by ?? '' })
  const action = { label: t('Abrir'), run: () => openPath(path) }
  notify({ id: `task ${id}`, tone: 'info', title, text: name, action })
  const preferences = readPreferences()
  const now = new Date()
  if (!isElected() || isQuiet(preferences, { hour: now.getHours(), minute: now.getMinutes() })) return
  const presence = await allPresence()
  if (isSettingOn('notificationSilenced') && preferences.soundMention && !presence.has(RECORDING))
    void play('mention', preferences.volume)
  if (preferences.notices && !presence.has(VISIBLE))
    showNotice({ tag: `/tarefas/${id}`, title, text: name }, () => openPath(path))
}
