import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import css from './lab.module.css'
import type { Log } from './log.ts'

/** Width of the framed screen in px: list and conversation side by side, context folded. */
const width = 1024

/** Frame with the user's attendance screen, scaled to the space beside the phones. */
export function AgentScreen({ log, ticketId }: { log: Log; ticketId: number | null }) {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const [scale, setScale] = useState(0.6)
  const { wholeMs } = log.use().tally
  useLayoutEffect(() => {
    const room = box.current
    if (!room) return
    const watch = new ResizeObserver(() => setScale(room.clientWidth / width))
    watch.observe(room)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    if (ticketId === null) return
    // The framed product listens to its own history, so the ticket opens without loading everything again.
    frame.current?.contentWindow?.history.pushState({}, '', `/atendimento/${ticketId}`)
  }, [ticketId])
  return (
    <section className={css.agent} aria-label={t('Tela da atendente')}>
      <header className={css.agentHeader}>
        <b>{t('Tela da atendente')}</b>
        <span className="g-cut">{t('{name} · ao vivo', { name: viewer().username })}</span>
        {wholeMs !== null && <Pill tone="pos">{t('{ms} ms do telefone à tela', { ms: Math.round(wholeMs) })}</Pill>}
      </header>
      <div ref={box} className={css.glass} style={{ '--scale': scale, '--width': `${width}px` }}>
        <iframe ref={frame} src="/atendimento" title={t('Atendimento de {name}', { name: viewer().username })} />
      </div>
    </section>
  )
}
