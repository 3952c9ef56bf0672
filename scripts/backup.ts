import { writeBackup } from '#server/backup/write.ts'
import { openExisting } from '#server/existing.ts'
import { createLog } from '#server/log.ts'
import { runCommand, shown, warnOfFiles } from './command.ts'

// Backs up the installation, beside a running product or alone: everything but the master key in one file.
await runCommand({ name: 'out', usage: 'Diga em que pasta: npm run backup -- --out PASTA' }, async (env, out) => {
  const begun = performance.now()
  const { ownerUrl, secrets, close } = await openExisting(env, createLog(env))
  try {
    const made = await writeBackup({ ownerUrl, dataDir: env.DATA_DIR, secrets, now: new Date() }, out)
    const { number, size } = shown
    const seconds = ((performance.now() - begun) / 1000).toLocaleString('pt-BR', { maximumFractionDigits: 1 })
    console.log(
      `Backup feito em ${seconds} s: ${made.path} (${size(made.size)})\n` +
        `  ${number(made.tables)} tabelas com ${number(made.rows)} linhas, ${number(made.files)} arquivos com ${size(made.fileBytes)}.\n` +
        `  A chave mestra (${secrets.keyId}) não está nele: guarde-a à parte.`,
    )
    warnOfFiles(made)
  } finally {
    await close()
  }
})
