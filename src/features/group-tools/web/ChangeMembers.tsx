import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { MembersKind } from '#domain/groups/tools.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { Fields, Notice, Segments } from '#web/ui/inputs/fields.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { groupTools } from '../addresses.ts'
import { TargetChoice, useTarget } from './choices.tsx'
import { GroupJobs } from './GroupJobs.tsx'
import css from './groups.module.css'
import { KINDS } from './labels.ts'
import { numbersIn, type Problems, startJob } from './start.ts'

const CHANGES = ['add', 'remove', 'promote', 'demote'] as const satisfies readonly MembersKind[]

/** Page that changes members and admins of many groups. */
export function ChangeMembers() {
  const target = useTarget()
  const [problems, setProblems] = useState<Problems>({})
  return (
    <Page>
      <PageHeader
        title={t('Manipular usuários')}
        facts={t('Quem não permite ser adicionado só entra por convite: a tarefa diz quem.')}
      />
      <div className={css.column}>
        <Card title={t('Nova mudança')}>
          <div className={css.form}>
            <Fields>
              <TargetChoice target={target} problems={problems} />
              <ChangeForm target={target} problems={problems} setProblems={setProblems} />
            </Fields>
          </div>
        </Card>
        <GroupJobs kinds={CHANGES} />
      </div>
    </Page>
  )
}

function ChangeForm(props: {
  target: ReturnType<typeof useTarget>
  problems: Problems
  setProblems: (next: Problems) => void
}) {
  const { problems, setProblems } = props
  const { whatsappId, groupIds } = props.target
  const [change, setChange] = useState<MembersKind>('add')
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const participants = numbersIn(text)
  const send = async () => {
    if (change === 'remove' && !(await confirmRemoval(groupIds.length))) return
    setBusy(true)
    const wrong = await startJob(groupTools[change], { whatsappId, groupIds: [...groupIds], participants })
    setProblems(wrong ?? {})
    if (!wrong) setText('')
    setBusy(false)
  }
  return (
    <>
      <Segments
        label={t('O que fazer')}
        value={change}
        options={CHANGES.map((value) => ({ value, label: KINDS[value] }))}
        onChange={setChange}
      />
      <Textarea
        label={t('Números')}
        description={t('Um por linha, com DDD. No máximo 100 por vez.')}
        rows={5}
        value={text}
        error={problems['participants']}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {problems[''] && <Notice tone="neg">{problems['']}</Notice>}
      <div className={css.footer}>
        {participants.length > 0 && (
          <span className={css.hint}>{plural(participants.length, t('número'), t('números'))}</span>
        )}
        <BusyButton
          busy={busy}
          doing={t('Começando')}
          disabled={whatsappId === null || groupIds.length === 0 || participants.length === 0}
          onClick={() => void send()}
        >
          {KINDS[change]}
        </BusyButton>
      </div>
    </>
  )
}

const confirmRemoval = (count: number): Promise<boolean> =>
  confirm({
    title: t('Remover de {count}?', { count: plural(count, t('grupo'), t('grupos')) }),
    text: t('Quem for removido vê que saiu do grupo.'),
    action: t('Remover'),
  })
