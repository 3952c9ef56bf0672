import { Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BulkAnswer } from '#kit/bulk.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { formatNumber } from '#web/format.ts'
import { NoticeBar } from '#web/shell/notice-bar.tsx'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { DoubleCheckIcon } from '#web/ui/icons.ts'
import { bulk } from '../addresses.ts'
import css from './bulk-bars.module.css'
import { follow, operations, type Progress, unfollow } from './operations.ts'
import { Refusals } from './Refusals.tsx'
import { textsOf } from './texts.ts'
import { undo } from './undo.ts'

/** Bars of bulk operations that are running or can be undone. */
export function BulkBars() {
  return operations.use().map((one) => <ProgressBar key={one.id} one={one} />)
}

function ProgressBar({ one }: { one: Progress }) {
  const { kind, action, status, total, done, refusedCount } = one
  const { data: texts } = useQuery({
    queryKey: ['bulk', 'texts', kind, action],
    queryFn: async () => (await textsOf(kind, action)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const goesOn = status === 'running' || status === 'paused'
  useLeaving(one, goesOn)
  const [refused, setRefused] = useState<Refused | null>(null)
  const finished = done + refusedCount
  return (
    <NoticeBar icon={DoubleCheckIcon} isDark end={<Commands one={one} goesOn={goesOn} onRefused={setRefused} />}>
      <Modal
        opened={refused !== null}
        onClose={() => setRefused(null)}
        size={420}
        padding={24}
        title={plural(refusedCount, t('recusado'), t('recusados'))}
      >
        <Refusals refused={refused ?? []} />
      </Modal>
      <b>{goesOn ? (status === 'paused' ? t('Em pausa') : texts?.doing) : texts?.done(done)}</b>
      {goesOn && (
        <>
          {' '}
          {t('{done} de {total}', { done: formatNumber(finished), total: formatNumber(total) })}
          <progress className={css.progress} max={total} value={finished} aria-label={t('Andamento')} />
        </>
      )}
    </NoticeBar>
  )
}

/** Removes the bar of an ended operation when its undo expires; one without an undo stays until it is closed. */
function useLeaving({ id, undoUntil }: Progress, goesOn: boolean): void {
  useEffect(() => {
    if (goesOn || undoUntil === null) return
    const timer = setTimeout(() => unfollow(id), Math.min(Math.max(0, Date.parse(undoUntil) - Date.now()), 120_000))
    return () => clearTimeout(timer)
  }, [id, goesOn, undoUntil])
}

type Refused = BulkAnswer['refused']

/** Buttons of a bar: steering while the operation goes on, then its refusals, undo and closing. */
function Commands(props: { one: Progress; goesOn: boolean; onRefused: (refused: Refused) => void }) {
  const { one, goesOn, onRefused } = props
  const { id, status, refusedCount, undoUntil } = one
  const showRefused = () =>
    call(bulk.get, { params: { id } }, { quiet: true }).then((now) => onRefused(now.refused), notifyError)
  return (
    <span className={css.end}>
      {status === 'running' && (
        <button type="button" onClick={() => steer(id, 'pause')}>
          {t('Pausar')}
        </button>
      )}
      {status === 'paused' && (
        <button type="button" onClick={() => steer(id, 'resume')}>
          {t('Continuar')}
        </button>
      )}
      {goesOn && (
        <button type="button" onClick={() => void stop(id)}>
          {t('Parar')}
        </button>
      )}
      {!goesOn && refusedCount > 0 && (
        <button type="button" onClick={() => void showRefused()}>
          {plural(refusedCount, t('recusado'), t('recusados'))}
        </button>
      )}
      {!goesOn && undoUntil !== null && (
        <button type="button" onClick={() => void undo(id)}>
          {t('Desfazer')}
        </button>
      )}
      {!goesOn && (
        <button type="button" onClick={() => unfollow(id)}>
          {t('Fechar')}
        </button>
      )}
    </span>
  )
}

const steer = (id: Progress['id'], to: 'pause' | 'resume' | 'cancel') =>
  void call(bulk[to], { params: { id } }, { quiet: true }).then(
    ({ refused: _, ...now }) => follow({ ...now, id }),
    notifyError,
  )

const stop = async (id: Progress['id']) => {
  const sure = await confirm({
    title: t('Parar aqui?'),
    text: t('O que já foi feito fica, e ainda pode ser desfeito.'),
    action: t('Parar'),
    cancel: t('Continuar'),
  })
  if (sure) steer(id, 'cancel')
}
