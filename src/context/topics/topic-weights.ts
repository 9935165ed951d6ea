/** A fitted logistic model of changes of topic. */
export interface TopicWeights {
  readonly intercept: number;
  /** What each feature adds to the log-odds. */
  readonly features: Readonly<Record<string, FeatureWeight>>;
}

/** The weight of a feature in every session, and what comes to it in proportion to the session's register. */
interface FeatureWeight {
  readonly always?: number;
  readonly technical?: number;
  readonly errand?: number;
}
