import { Button, FileButton, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { UploadIcon } from '#web/ui/icons.ts'
import { emptiedOnClick } from '#web/ui/inputs/emptied-on-click.ts'
import { Fields, Notice, Segments } from '#web/ui/inputs/fields.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { groupTools } from '../addresses.ts'
import { LONGEST_DESCRIPTION, LONGEST_TITLE } from '../forms.ts'
import { TargetChoice, useTarget } from './choices.tsx'
import { GroupJobs } from './GroupJobs.tsx'
import css from './groups.module.css'
import { type Problems, startJob } from './start.ts'

type What = 'title' | 'description' | 'picture' | 'adminsOnly'

/** Page that changes title, description, picture and write permission of many groups at once. */
export function ChangeGroups() {
  const target = useTarget()
  const { whatsappId, groupIds } = target
  const [what, setWhat] = useState<What>('title')
  const [text, setText] = useState('')
  const [file, setFile] = useState<File | null>(null)
  const [who, setWho] = useState<Who>('admins')
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<Problems>({})
  const choose = (next: What) => {
    setWhat(next)
    setText('')
    setFile(null)
    setProblems({})
  }
  const send = async () => {
    setBusy(true)
    const wrong = await begin({ whatsappId, groupIds: [...groupIds] }, { what, text, file, who })
    setProblems(wrong ?? {})
    if (!wrong) setText('')
    setBusy(false)
  }
  const isFilled = what === 'adminsOnly' || what === 'description' || file !== null || text.trim() !== ''
  return (
    <Page>
      <PageHeader
        title={t('Manipular grupos')}
        facts={t('As mudanças seguem no servidor, uma de cada vez, no ritmo que o número aguenta.')}
      />
      <div className={css.column}>
        <Card title={t('Nova mudança')}>
          <div className={css.form}>
            <Fields>
              <TargetChoice target={target} problems={problems} />
              <WhatChoice value={what} onChange={choose} />
              <TextFields what={what} text={text} problems={problems} onChange={setText} />
              {what === 'picture' && (
                <PictureFields text={text} file={file} error={problems['picture']} onText={setText} onFile={setFile} />
              )}
              {what === 'adminsOnly' && <WhoChoice value={who} onChange={setWho} />}
              {problems[''] && <Notice tone="neg">{problems['']}</Notice>}
              <div className={css.footer}>
                <BusyButton
                  busy={busy}
                  doing={t('Começando')}
                  disabled={whatsappId === null || groupIds.length === 0 || !isFilled}
                  onClick={() => void send()}
                >
                  {t('Mudar')}
                </BusyButton>
              </div>
            </Fields>
          </div>
        </Card>
        <GroupJobs kinds={['title', 'description', 'picture', 'admins_only']} />
      </div>
    </Page>
  )
}

type To = { readonly whatsappId: number | null; readonly groupIds: string[] }
type Who = 'admins' | 'all'
type Change = { readonly what: What; readonly text: string; readonly file: File | null; readonly who: Who }

/** Starts the job of a change. */
function begin(to: To, { what, text, file, who }: Change): Promise<Problems | null> {
  if (what === 'title') return startJob(groupTools.titles, { ...to, title: text })
  if (what === 'description') return startJob(groupTools.descriptions, { ...to, description: text })
  if (what === 'adminsOnly') return startJob(groupTools.adminsOnly, { ...to, adminsOnly: who === 'admins' })
  if (!file) return startJob(groupTools.picturesUrl, { ...to, picture: text })
  const form = new FormData()
  form.append('whatsappId', String(to.whatsappId))
  form.append('groupIds', JSON.stringify(to.groupIds))
  form.append('file', file)
  return startJob(groupTools.picturesFile, form)
}

/** Choice of what changes. */
function WhatChoice({ value, onChange }: { value: What; onChange: (what: What) => void }) {
  return (
    <Segments
      label={t('O que muda')}
      value={value}
      options={[
        { value: 'title', label: t('Título') },
        { value: 'description', label: t('Descrição') },
        { value: 'picture', label: t('Imagem') },
        { value: 'adminsOnly', label: t('Quem escreve') },
      ]}
      onChange={onChange}
    />
  )
}

/** Field of the title or the description. */
function TextFields(props: { what: What; text: string; problems: Problems; onChange: (text: string) => void }) {
  const { what, text, problems, onChange } = props
  return (
    <>
      {what === 'title' && (
        <TextInput
          label={t('Título')}
          maxLength={LONGEST_TITLE}
          value={text}
          error={problems['title']}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {what === 'description' && (
        <Textarea
          label={t('Descrição')}
          description={t('Vazia, o grupo fica sem descrição.')}
          rows={4}
          maxLength={LONGEST_DESCRIPTION}
          value={text}
          error={problems['description']}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </>
  )
}

/** Fields of the picture: an address, or a file in its place. */
function PictureFields(props: {
  text: string
  file: File | null
  error: string | undefined
  onText: (text: string) => void
  onFile: (file: File | null) => void
}) {
  const { text, file, error, onText, onFile } = props
  return (
    <>
      <TextInput
        label={t('Endereço da imagem')}
        disabled={file !== null}
        value={text}
        error={error}
        onChange={(event) => onText(event.currentTarget.value)}
      />
      <div className={css.row}>
        <FileButton inputProps={emptiedOnClick} onChange={onFile} accept="image/jpeg,image/png,image/webp">
          {(button) => (
            <Button {...button} variant="default" leftSection={<UploadIcon size={17} />}>
              {file ? t('Trocar arquivo') : t('Ou um arquivo')}
            </Button>
          )}
        </FileButton>
        {file && (
          <>
            <span className="g-cut">{file.name}</span>
            <Button variant="default" onClick={() => onFile(null)}>
              {t('Tirar')}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

/** Choice of the members who may send messages. */
function WhoChoice({ value, onChange }: { value: Who; onChange: (who: Who) => void }) {
  return (
    <Segments
      label={t('Quem pode enviar mensagens')}
      value={value}
      options={[
        { value: 'admins', label: t('Só administradores') },
        { value: 'all', label: t('Todos') },
      ]}
      onChange={onChange}
    />
  )
}
