import { call } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { on } from '#web/realtime/realtime.ts'
import { createSoon } from '#web/soon.ts'
import { t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { announcementEvents, announcements } from '../addresses.ts'

/** Shows the user's announcements one after the other, until each is confirmed as read. */
export function startAnnouncements(): void {
  on(announcementEvents.created, showSoon)
  showSoon()
}

const showSoon = createSoon(() => void show(), 500, 3000)
let isShowing = false

async function show(): Promise<void> {
  if (isShowing) return
  isShowing = true
  try {
    const { notifications } = await call(announcements.mine, {}, { quiet: true })
    for (const { id, message, authorName, createdAt } of notifications) {
      const isRead = await confirm({
        title: t('Aviso da instalação'),
        text: (
          <span style={{ whiteSpace: 'pre-line' }}>{`${message}\n\n${authorName} · ${formatDateTime(createdAt)}`}</span>
        ),
        action: t('Li o aviso'),
        cancel: t('Depois'),
        tone: 'brand',
      })
      // The others as well come with the next page.
      if (!isRead) return
      await call(announcements.read, { params: { noticeId: id }, body: { isRead: true } }, { quiet: true })
    }
  } catch {
    // Unread announcements are fetched again with the next event or page.
  } finally {
    isShowing = false
  }
}
