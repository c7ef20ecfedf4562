/** Where scheduled backups are kept. All methods reject with an error whose message is for people. */
export interface BackupPlace {
  /** Rejects with a UserError when this server cannot make backups there, whatever the place says. */
  check(): Promise<void>
  /** The names of the backups that are complete, the oldest first. */
  present(): Promise<string[]>
  /** Makes a backup of the data folder under a name. Returns where it is, for the log. */
  make(name: string): Promise<string>
  remove(name: string): Promise<void>
  /** Removes what a process that was killed has left. */
  tidy(): Promise<void>
  /** Ends what takes long. What was being made is not there then. */
  stop(): void
}
