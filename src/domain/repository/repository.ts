/** Describes a repository that Tazuna knows. */

export interface Repository {
  readonly id: string;
  /** A short name for people: the folder's name. */
  readonly name: string;
  /** Real absolute path of the user's checkout, or of the bare repository. */
  readonly path: string;
  /** Real absolute path of the directory that holds objects and refs. */
  readonly commonDir: string;
  readonly bare: boolean;
  readonly createdAt: string;
}
