declare module '@20minutes/s3rver' {
  /** An S3 server that checks signatures; its only key is S3RVER, and so is that key's secret. */
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string; configs: string[] }[];
    });
    run(): Promise<{ port: number }>;
    close(): Promise<void>;
  }
}
