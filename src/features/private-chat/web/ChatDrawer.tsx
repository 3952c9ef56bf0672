import { useEffect, useState } from 'react'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { ChatList } from './ChatList.tsx'
import { Conversation } from './Conversation.tsx'
import { followThreads } from './follow.ts'
import { pathOf } from './paths.ts'
import css from './private-chat.module.css'

/** Drawer of the private chat: the list, or the open conversation. */
export function ChatDrawer() {
  useEffect(followThreads, [])
  const [peer, setPeer] = useState<Peer | null>(null)
  return (
    <div className={css.frame} data-narrow>
      {peer ? (
        <Conversation key={pathOf(peer)} peer={peer} onBack={() => setPeer(null)} />
      ) : (
        <ChatList chosen={null} onOpen={setPeer} isPicker />
      )}
    </div>
  )
}
